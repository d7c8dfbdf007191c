"""The declarations for ctypes against what a C compiler makes of the header."""

import ctypes
import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

from equant import _c

HEADER = pathlib.Path(__file__).parents[2] / "include"
STRUCTS = {
    name: value
    for name, value in vars(_c).items()
    if isinstance(value, type) and issubclass(value, ctypes.Structure) and name != "Structure"
}


def compiled(tmp_path, statements):
    """What a C program with these statements prints, line by line."""
    compiler = shutil.which(os.environ.get("CC", "cc"))
    if compiler is None or not HEADER.exists():
        pytest.skip("there is no C compiler or no header")
    source = tmp_path / "probe.c"
    source.write_text(
        "#include <equant.h>\n#include <stdio.h>\nint main(void)\n{\n"
        + "\n".join(statements)
        + "\nreturn 0;\n}\n"
    )
    program = tmp_path / "probe"
    subprocess.run([compiler, "-I", HEADER, source, "-o", program], check=True)
    return subprocess.check_output([program], text=True).splitlines()


def test_structs_have_the_layout_of_the_compiler(tmp_path):
    statements, expected = [], []
    for name, struct in STRUCTS.items():
        statements.append(f'printf("%zu\\n", sizeof({name}));')
        expected.append((name, "", ctypes.sizeof(struct)))
        for member, _ in struct._fields_:
            statements.append(f'printf("%zu\\n", offsetof({name}, {member}));')
            expected.append((name, member, getattr(struct, member).offset))
    numbers = [int(line) for line in compiled(tmp_path, statements)]
    assert [(*key, number) for (*key, _), number in zip(expected, numbers)] == expected


def test_enumerations_have_the_values_of_the_compiler(tmp_path):
    values = {name: value for enum in _c.ENUMS.values() for name, value in enum.items()}
    statements = [f'printf("%d\\n", (int){name});' for name in values]
    assert [int(line) for line in compiled(tmp_path, statements)] == list(values.values())


def test_every_function_is_in_the_library():
    for name in _c.FUNCTIONS:
        assert getattr(_c, name).argtypes == _c.FUNCTIONS[name][1]


def test_every_function_is_reached_from_the_package():
    """But for those whose answers the package knows by itself."""
    folder = pathlib.Path(_c.__file__).parent
    code = "".join(path.read_text("utf-8") for path in folder.rglob("*.py") if path.stem != "_c")
    used = set(re.findall(r"\b_c\.(equant_\w+)", code))
    known = {
        "equant_status_name",
        "equant_model_n_planets",
        "equant_refusal_name",
        "equant_fit_check_noise",  # fits do it themselves
        "equant_fit_check_outliers",
        "equant_fit_uncertainties_m_s",  # follow from the outliers, which folders have, too
        "equant_dataset_with_uncertainties",
        "equant_astrometry_read",  # a stream gives the same
        "equant_astrometry_free_all",
        "equant_astrometry_recognises",  # for files that may be anything
        "equant_astrometry_is_joint",
        "equant_posterior_read_dataset",  # a run that is open has it
        "equant_dataset_select",  # data[rows] does it
        "equant_dataset_n_left_out",  # warnings count them
        "equant_dataset_star_name",  # files of stars have them, which the command writes
        "equant_dataset_star_mass",
        "equant_fit_n_neighbours",  # folders have them, and the numbers that they follow from
        "equant_fit_neighbour",
        "equant_fit_probabilities",
        "equant_fit_take_comparison",  # the command puts sampled ones into folders
        "equant_fit_text",  # folders have it
        "equant_fit_text_free",
        "equant_origin_read",  # with the fit
        "equant_origin_version",
        "equant_origin_write",
        "equant_other_files_free",  # of the command, which lists a folder
        "equant_other_files_list",
        "equant_record_field_at",  # docs/record.md has them
        "equant_n_record_fields",
        # Of the command: velocities of files by source, lists of sources; files of transits.
        "equant_nbody_end_text",
        "equant_nbody_transits",  # integrations without a fit
        "equant_nbody_velocities",
        "equant_transits_is_file",
        "equant_transits_n",
        "equant_transits_n_planets",
        "equant_sb2_recognises",
        "equant_sky_mass_from_ks",
        "equant_sky_orbits_n",
        "equant_sky_sources_at",
        "equant_sky_sources_find",
        "equant_sky_sources_id",
        "equant_sky_sources_n",
        "equant_sky_velocities_dataset",
        "equant_sky_velocities_failure",
        "equant_sky_velocities_find",
        "equant_sky_velocities_free",
        "equant_sky_velocities_n",
        "equant_sky_velocities_n_failed",
        "equant_sky_velocities_n_unknown",
        "equant_sky_velocities_read",
        "equant_sky_velocities_source_id",
        "equant_sky_velocities_unknown",
        "equant_sky_velocities_warning",
    }
    assert set(_c.FUNCTIONS) - used == known


@pytest.fixture(scope="module")
def generator():
    path = pathlib.Path(__file__).parents[2] / "python" / "make_declarations.py"
    specification = importlib.util.spec_from_file_location("make_declarations", path)
    module = importlib.util.module_from_spec(specification)
    sys.modules["make_declarations"] = module  # where dataclasses look for it
    specification.loader.exec_module(module)
    return module


VERSION = '#define EQUANT_VERSION_STRING "1.2.3"\n'


def test_the_generator_reads_declarations(generator):
    header = generator.parse(
        VERSION
        + """
        typedef struct equant_thing equant_thing; /* opaque */
        typedef struct equant_pair { const char *name, *unit; double x, y; char id[8]; }
            equant_pair;
        EQUANT_API const double *equant_thing_values(const equant_thing *thing, size_t n,
                                                     const equant_pair *pairs, equant_thing **out);
        """
    )
    assert header.version == "1.2.3"
    assert header.structs["equant_pair"] == [
        ("name", "c_char_p"),
        ("unit", "c_char_p"),
        ("x", "c_double"),
        ("y", "c_double"),
        ("id", "c_char * 8"),
    ]
    assert header.functions["equant_thing_values"] == (
        "c_void_p",
        ["c_void_p", "c_size_t", "POINTER(equant_pair)", "POINTER(c_void_p)"],
    )


def test_the_generator_takes_a_pointer_to_what_comes_later_for_an_address(generator):
    header = generator.parse(
        VERSION
        + """
        typedef struct equant_first { const struct equant_second *second; } equant_first;
        typedef struct equant_second { const equant_first *first; } equant_second;
        """
    )
    assert header.structs["equant_first"] == [("second", "c_void_p")]
    assert header.structs["equant_second"] == [("first", "POINTER(equant_first)")]


@pytest.mark.parametrize(
    "text, words",
    [
        ("EQUANT_API float equant_f(void);", "type 'float'"),
        ("EQUANT_API void equant_f(const equant_ghost *ghost);", "type 'equant_ghost'"),
        ("static inline int one(void) { return 1; }", "do not understand 'static inline"),
    ],
)
def test_the_generator_stops_at_what_it_does_not_know(generator, text, words):
    with pytest.raises(SystemExit, match=words):
        generator.parse(VERSION + text)


def test_version_is_that_of_the_header():
    assert _c.equant_version().decode() == _c.VERSION


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="equant_nonsense"):
        _c.equant_nonsense  # noqa: B018

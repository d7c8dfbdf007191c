#!/usr/bin/env bash
# Who may open a file for writing, or remove one: a few files, in which it is checked what is there. In
# the command files are read through input_file.h as well, so that no output can replace an input.
set -euo pipefail
cd "${EQUANT_SOURCE:-$(dirname "$0")/../..}"

bad=0
# allowed FOLDER SUFFIX PATTERN FILE...: lines of the pattern stand in these files alone.
allowed() {
  local folder=$1 suffix=$2 pattern=$3 file line
  shift 3
  while IFS=: read -r file line; do
    [[ " $* " == *" $file "* ]] && continue
    echo "$file:$line" >&2
    bad=1
  done < <(grep -rnE --include="*.$suffix" "$pattern" "$folder" | grep -vE '^[^:]+:[0-9]+: *(\*|/\*|#)' || true)
}

calls='(^|[^a-z_.>])(system_file_open|system_file_open_nameless|system_file_give_name|system_file_rename|system_file_remove|system_file_cut|system_folder_make|open|openat|creat|rename|renameat|unlink|unlinkat|remove|rmdir|mkdir|mkdirat|mkstemp|mkdtemp|tmpfile|freopen|truncate|ftruncate|link|linkat|symlink|nc_create|nc_open)\('
files=apps/equant/files
allowed apps "[ch]" "$calls" $files/output_file.c $files/output_folder.c $files/row_file.c \
  $files/input_file.c
allowed apps "[ch]" '(^|[^a-z_])(fopen|system_stream_open)\(' $files/output_file.c $files/output_check.c $files/row_file.c \
  apps/equant/archive/record_table.c
allowed src "[ch]" "$calls" src/platform/{system_file.h,system_folder.h,posix/posix_file.c,posix/posix_folder.c,windows/windows_file.c,windows/windows_folder.c,windows/windows_stream.c} src/core/files/replacement.c src/core/files/results_lock.c src/inference/record/record_files.c src/output/sealed_file.c src/output/netcdf_columns.c \
  src/output/netcdf_reader.c
# Of the library those are for reading.
allowed src "[ch]" '(^|[^a-z_])(fopen|system_stream_open)\([^"]*"[^r]'

# Files that are named on the command line are noted as read when it is parsed, if their rows say so.
if grep -rnE '\{"[a-z-]+", "FILE",\s*OPTION_TEXT' apps --include='*.c' | grep -v '{"out"'; then
  echo "options that name a file to be read are of the kind OPTION_FILE" >&2
  bad=1
fi

# Of the package; four write into folders that are their own and that nobody else knows.
own=python/equant/_folder
allowed python/equant py "(open\([^)]*, *\"[wax]|write_text\(|write_bytes\(|savetxt\(|tofile\(|shutil\.(copy|move|rmtree)|os\.(open|replace|rename|unlink|remove|link|symlink)\()" \
  $own/whole_file.py python/equant/_packages/parquet.py python/equant/posterior.py python/equant/astrometry.py
allowed python/equant py "os\.(makedirs|mkdir)\(" $own/whole_file.py python/equant/_packages/parquet.py python/equant/archive.py
exit $bad

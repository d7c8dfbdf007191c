"""Tables for papers, of fits and of posteriors."""

from __future__ import annotations

from typing import Optional


class PaperTables:
    """Something that ``equant table`` makes tables of."""

    def paper_table(
        self,
        what: str = "parameters",
        style: str = "plain",
        *,
        mass_unit: str = "auto",
        star_name: Optional[str] = None,
        document: bool = False,
    ) -> str:
        """A table for a paper, as ``equant table`` makes it; its text.

        Parameters
        ----------
        what
            ``"parameters"``, ``"derived"``, ``"velocities"`` or ``"bibtex"``; of a fit also
            ``"models"``, of a posterior ``"priors"``.
        style
            ``"plain"``, ``"aastex"``, ``"aa"``, ``"mrt"``, ``"ecsv"`` or ``"votable"``.
        mass_unit
            ``"jupiter"``, ``"earth"`` or ``"auto"``.
        star_name
            What the star is called.
        document
            LaTeX that compiles by itself.
        """
        from ..saved import make_table

        return make_table(
            self,
            what=what,
            style=style,
            mass_unit=mass_unit,
            star_name=star_name,
            document=document,
        )

"""Folders of results, in the files of the command."""

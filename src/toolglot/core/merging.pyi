"""Merging the keywords of one schema object into another; nothing here is for Python code."""

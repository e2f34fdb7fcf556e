"""Small files and lines of every kind that people bring, and what the lab makes of each.

python -m tests.cases            # a table: what was brought, and what happens
python -m tests.cases FOLDER     # the same for files of one's own, in folders named as the kinds of files
"""

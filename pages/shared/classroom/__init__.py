"""The live class on the pages: who is in which room, what it is asked, where its presenter leads."""

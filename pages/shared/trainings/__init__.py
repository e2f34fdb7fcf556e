"""The trainings of this machine: whose they are, what starts and ends them, what came out of them."""

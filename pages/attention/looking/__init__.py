"""The parts of the page "Where does it look?"."""

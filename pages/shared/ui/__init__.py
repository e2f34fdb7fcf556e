"""What the pages share: controls, playback, lessons, sharing, trainings."""

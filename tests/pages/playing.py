"""A playback bar as a visitor moves it, on a page without a browser."""


def put(app, name, step):
    """Put a playback bar at a step, as a touch of its slider does, and run the page."""
    playback = app.session_state[f"{name}_playback"]
    playback.step, playback.moved_at = int(step), None
    return app.run()

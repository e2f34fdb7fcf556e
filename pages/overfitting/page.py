"""Does it learn or remember? Training and validation by time, capacity, data and noise."""

from lm_core.experiments.overfitting.book import mean_run, train_on_book
from lm_core.experiments.overfitting.double_descent import features, least_squares
from lm_core.experiments.overfitting.machines import combine, parallel_step
from lm_core.experiments.overfitting.speed_up import take_step
from lm_core.experiments.overfitting.training import dropout_masks, penalty, train
from lm_core.models.transformer_blocks import dropout
from lm_core.training.early_stopping import stop_early
from pages.overfitting.by_setting import by_setting, choose_varied
from pages.overfitting.descent import choose_problem, double_descent
from pages.overfitting.machines import choose_machines, machines
from pages.overfitting.on_the_book import choose_run, on_the_book
from pages.overfitting.over_time import choose_stopping, over_time
from pages.shared.ui.controls import choose_part
from pages.shared.ui.first_screen import first_screen
from pages.shared.ui.lesson import page_header, show_source, try_this

TIME, SETTING, DESCENT = "Time", "Capacity", "Double descent"
BOOK, MACHINES = "The book", "Machines"
CODE = {
    TIME: (train, stop_early),
    SETTING: (train, penalty, dropout_masks, dropout),
    DESCENT: (features, least_squares),
    BOOK: (train_on_book, mean_run),
    MACHINES: (parallel_step, combine, take_step),
}

page_header(
    "overfitting",
    "A network *overfits* when it learns its examples by heart, with all that is due to chance in"
    " them, so its answers to new ones then get worse.",
)

# Controls -------------------------------------------------------------------------------------
screen = first_screen(picture=3.0)
with screen.controls:
    part = choose_part((TIME, SETTING, DESCENT, BOOK, MACHINES))

# Picture and explanation ----------------------------------------------------------------------
if part == TIME:
    over_time(screen, choose_stopping(screen))
elif part == SETTING:
    by_setting(screen, choose_varied(screen))
elif part == DESCENT:
    double_descent(screen, choose_problem(screen))
elif part == BOOK:
    on_the_book(screen, choose_run(screen))
else:
    machines(screen, choose_machines(screen))

# Code and suggestions -------------------------------------------------------------------------
show_source(*CODE[part])
try_this(part)

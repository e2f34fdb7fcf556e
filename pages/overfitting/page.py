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
SUGGESTIONS = {
    TIME: [
        "Choose *By hand* and another seed. How near do you come to the lowest validation loss?",
        "With a patience of 1, how often does the rule stop too early? Try five seeds.",
        "Set wrong labels to 0 %. Does stopping early still help?",
        "Switch on dropout or weight decay under *More*. When is the best time to stop now?",
    ],
    SETTING: [
        "Which remedy helps most with 10 training points? Early stopping also sees 300 points with right"
        " labels: is the comparison fair to the others?",
        "Choose *Training points*. From how many on is a remedy worse than none?",
        "Choose *Wrong labels* and 40 %: what does each remedy make of the surface?",
    ],
    DESCENT: [
        "Play from 2 features on. Where does the fit first pass through every point?",
        "Raise λ to 0.0001. What is left of the peak, and what does that say of it?",
        "Without noise, is the peak gone as well?",
    ],
    BOOK: [
        "When does the validation loss begin to rise, and how much does it know by heart then?",
        "Compare with ten times the text: which of the two lines changes more?",
    ],
    MACHINES: [
        "Choose *Mean of means*, then unequal parts under *More*. Why is it wrong now?",
        "Which rule is one machine's step for every K and all parts?",
        "With the *Sum of means*, which learning rate makes four machines take one machine's steps?",
    ],
}

page_header(
    "overfitting",
    "A network *overfits* when it goes on to learn its examples by heart, and new ones get worse.",
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
try_this(SUGGESTIONS[part])

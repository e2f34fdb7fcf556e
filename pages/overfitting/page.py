"""Does it learn or remember? Training and validation by time, capacity, data and noise."""

from lm_core.experiments.grokking.training import ModularAdder, spectrum
from lm_core.experiments.grokking.training import train as train_adder
from lm_core.experiments.overfitting.book import mean_run, train_on_book
from lm_core.experiments.overfitting.double_descent import features, least_squares
from lm_core.experiments.overfitting.machines import combine, parallel_step
from lm_core.experiments.overfitting.speed_up import take_step
from lm_core.experiments.overfitting.training import dropout_masks, penalty, train
from lm_core.experiments.wikipedia.articles import split_articles
from lm_core.experiments.wikipedia.training import read
from lm_core.models.transformer_blocks import dropout
from lm_core.training.early_stopping import stop_early
from pages.overfitting.by_setting import by_setting
from pages.overfitting.descent import double_descent
from pages.overfitting.late_jump import late_jump
from pages.overfitting.machines import machines
from pages.overfitting.on_the_book import on_the_book
from pages.overfitting.over_time import over_time
from pages.overfitting.wikipedia import wikipedia
from pages.shared import page

PARTS = [
    page.Part("Time", over_time, (train, stop_early)),
    page.Part("Capacity", by_setting, (train, penalty, dropout_masks, dropout)),
    page.Part("Double descent", double_descent, (features, least_squares)),
    page.Part("The book", on_the_book, (train_on_book, mean_run)),
    page.Part("Grokking", late_jump, (ModularAdder, train_adder, spectrum)),
    page.Part("Wikipedia", wikipedia, (split_articles, read)),
    page.Part("Machines", machines, (parallel_step, combine, take_step)),
]

page.draw(
    "overfitting",
    "A network *overfits* when it learns its examples by heart, with all that is due to chance in"
    " them, so its answers to new ones then get worse.",
    PARTS,
    picture=3.0,
)

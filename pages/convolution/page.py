"""What does a filter see? Convolution by hand, its sizes, moved pictures, digits, and letters of names."""

from lm_core.experiments.convolution.study import early_snapshots, favourites
from lm_core.experiments.convolution.training import accuracies_by_shift, train_on_digits
from lm_core.models import convolution
from lm_core.models.character_cnn import CharacterCNN
from lm_core.models.image_networks import ImageCNN, ImageMLP
from pages.convolution.digits import digits
from pages.convolution.image import image
from pages.convolution.names import names
from pages.convolution.one_dimension import one_dimension
from pages.convolution.shift import shift
from pages.convolution.sizes import sizes
from pages.shared import page

PARTS = [
    page.Part("Image", image, (convolution.trace_convolution, convolution.windows)),
    page.Part(
        "One row", one_dimension, (convolution.trace_convolution, convolution.toeplitz_matrix)
    ),
    page.Part(
        "Sizes",
        sizes,
        (convolution.output_size, convolution.trace_convolution, convolution.toeplitz_matrix),
    ),
    page.Part("Shift", shift, (convolution.shifted, convolution.pool)),
    page.Part(
        "Digits",
        digits,
        (
            ImageCNN,
            ImageMLP,
            convolution.cross_correlate_2d,
            train_on_digits,
            early_snapshots,
            accuracies_by_shift,
        ),
    ),
    page.Part("Names", names, (CharacterCNN, convolution.cross_correlate_1d, favourites)),
]

page.draw(
    "convolution",
    "A *convolution* moves one small filter over all of a picture, a row of numbers or a name, so it"
    " finds the same pattern wherever it is.",
    PARTS,
    picture=3.0,
)

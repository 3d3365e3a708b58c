"""What the tests of pictures share: figures that last as long as their test, and their parts."""
from small_runs import RunsTestCase

import numpy as np
from matplotlib import pyplot


class FiguresTestCase(RunsTestCase):
    def kept(self, figure):
        self.addCleanup(pyplot.close, figure)
        figure.canvas.draw()
        return figure

    def panel(self, figure, title):
        return next(axes for axes in figure.axes if axes.get_title() == title)

    def labelled_panel(self, figure, label):
        return next(axes for axes in figure.axes if axes.get_ylabel() == label)

    def values_of(self, axes):
        return np.ma.getdata(axes.collections[0].get_array()).ravel()

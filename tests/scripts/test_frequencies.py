"""Spectra of signals in time against mathematics."""
import unittest

import numpy as np

from dnsflow import frequency_spectrum


class Frequencies(unittest.TestCase):
    def test_the_energy_of_a_wave_stands_at_its_frequency(self):
        time = np.arange(1000) * 0.1
        f, energy, windows = frequency_spectrum(time, 3 + 2 * np.sin(2 * np.pi * 0.5 * time))
        self.assertEqual(windows, 3)  # of 500 records: 50 L/U, 25 periods
        self.assertAlmostEqual(f[energy.argmax()], 0.5)
        self.assertAlmostEqual(energy.sum() * f[1], 2**2 / 2, places=9)

    def test_the_sum_over_frequencies_is_that_of_the_tapered_squares(self):
        signals = np.random.default_rng(3).normal(size=(2, 3, 60))
        for records in (60, 59):
            values = signals[..., :records]
            f, energy, windows = frequency_spectrum(0.3 * np.arange(records), values, records)
            self.assertEqual((windows, energy.shape), (1, (2, 3, records // 2 + 1)))
            squares = np.sin(np.pi * np.arange(records) / records)**4  # Hann's taper, squared
            apart = values - values.mean(axis=-1, keepdims=True)
            np.testing.assert_allclose(energy.sum(axis=-1) * f[1],
                                       (squares * apart**2).sum(axis=-1) / squares.sum(),
                                       rtol=1e-13)

    def test_noise_has_its_variance_at_all_frequencies_alike(self):
        time = np.arange(20001) * 0.25
        noise = np.random.default_rng(2).normal(size=(1, 20001))
        f, energy, windows = frequency_spectrum(time, noise)
        self.assertEqual(windows, 18)  # of 2048 records, each 1024 after the last
        for part in np.array_split(energy[0, 1:-1], 4):  # one-sided, 0 < f < 2 = 1/(2 0.25)
            self.assertAlmostEqual(part.mean(), 1 / 2, delta=0.03)
        self.assertEqual(f[-1], 2)

    def test_records_at_unequal_times_keep_the_frequency(self):
        steps = 0.05 * (1 + 0.5 * np.sin(np.arange(1999)))
        time = np.concatenate([[5.0], 5 + np.cumsum(steps)])
        f, energy, _ = frequency_spectrum(time, np.array([np.cos(2 * np.pi * time)]))
        self.assertAlmostEqual(f[energy[0].argmax()], 1, delta=f[1])
        self.assertAlmostEqual(energy[0].sum() * f[1], 1 / 2, delta=0.02)

    def test_what_is_no_signal_is_refused(self):
        time = np.arange(20.0)
        for wrong in ({"values": np.ones((20, 3))}, {"values": time, "window": 21},
                      {"values": time, "window": 1}):
            with self.subTest(wrong), self.assertRaisesRegex(ValueError, "windows of"):
                frequency_spectrum(time, **wrong)
        with self.assertRaisesRegex(ValueError, "ascend"):
            frequency_spectrum(time[::-1], time)


if __name__ == "__main__":
    unittest.main()

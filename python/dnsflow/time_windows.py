"""Which windows of averages of a run are joined."""
from dnsflow.case_difference import differences_of_averages, words_of
from dnsflow.errors import EdgeError, RunFileError

SLACK = 1e-5  # of a time: what six digits of an edge leave out
GAP = 1e-6  # of the time of all windows: windows this close join


def first_time(window):
    return float(window.attributes["first_time"])


def last_time(window):
    return float(window.attributes["last_time"])


def averaged_files(run):
    """The files of averages of a run, each over a time of its own: windows, those that a change of
    the case set aside, and statistics.h5 where it is none of several windows.
    """
    files = list(run.statistics_windows())
    statistics = run.case.get("output", {}).get("statistics")
    is_whole = bool(statistics) and "window" not in statistics
    if (is_whole or not files) and (run.folder / "statistics.h5").exists():
        files.append(run.statistics())
    return files


def nearest_edge(time, edges, words, notes):
    """The edge nearest to a time [L/U]. Adds a note if they differ."""
    edge = min(edges, key=lambda one: abs(one - time))
    if abs(edge - time) > SLACK * max(map(abs, edges)):
        notes.append(f"averages {words} at t = {edge:.9g} L/U, the edge of a window of time "
                     f"nearest to {time:.9g}")
    return edge


def of_one_case(windows, case):
    """(windows, notes): the windows of a case; without any, those of the newest case among them.
    """
    texts = [window.attributes.get("case") for window in windows]
    cases = {text: window.case for text, window in dict(zip(texts, windows)).items()}
    apart = {text: differences_of_averages(one, case) for text, one in cases.items()}
    notes = []
    if all(apart.values()):
        newest = cases[texts[-1]]
        notes.append("these averages are of the case before it was changed: "
                     f"{words_of(differences_of_averages(newest, case))}")
        apart = {text: differences_of_averages(one, newest) for text, one in cases.items()}
    left_out = next((apart[text] for text in reversed(texts) if apart[text]), None)
    if left_out:
        notes.append("windows of time of another case are left out, which differs in: "
                     f"{words_of(left_out)}")
    return [window for text, window in zip(texts, windows) if not apart[text]], notes


def windows_between(windows, first, last, case):
    """(windows, notes): those from one time to another [L/U], in the order of time.

    first, last  the nearest edges count; None: from the first on, to the last
    case         of the run now: where windows of several cases lie between, those of this one
                 count, else those of the newest

    notes  sentences on edges that were moved and on windows that are left out

    Raises EdgeError where there is no window between the edges, or where windows do not join. Where
    `first` is None averages begin after the last gap instead.
    """
    notes = []
    windows = sorted(windows, key=first_time)
    starts, ends = (list(map(edge, windows)) for edge in (first_time, last_time))
    low = starts[0] if first is None else nearest_edge(first, starts, "begin", notes)
    high = max(ends) if last is None else nearest_edge(last, ends, "end", notes)
    chosen = [window for window, start, end in zip(windows, starts, ends)
              if start >= low and end <= high]
    if not chosen:
        raise EdgeError(f"there is no window of time from t = {low:.9g} to {high:.9g} L/U")
    chosen, of_cases = of_one_case(chosen, case)
    notes += of_cases
    for place in range(len(chosen) - 1, 0, -1):
        end, start = last_time(chosen[place - 1]), first_time(chosen[place])
        if abs(start - end) <= GAP * (max(ends) - starts[0]):
            continue
        if first is not None:
            raise EdgeError(f"windows of time that end at t = {end:.9g} and begin at {start:.9g} "
                            "L/U do not join: choose times on one side")
        notes.append(f"averages begin at t = {start:.9g} L/U: windows before end at {end:.9g}")
        return chosen[place:], notes
    return chosen, notes


def whole_of(run, windows):
    """The averages of statistics.h5, where they are over the same times as several windows of a
    run; else, or where the file cannot be read, None.
    """
    slack = GAP * (last_time(windows[-1]) - first_time(windows[0]))
    try:
        whole = run.statistics()
        is_alike = (len(windows) > 1 and abs(first_time(whole) - first_time(windows[0])) <= slack
                    and abs(last_time(whole) - last_time(windows[-1])) <= slack
                    and not differences_of_averages(whole.case, windows[-1].case))
    except RunFileError:
        return None
    return whole if is_alike else None

"""Worlds of players with known strengths, rated by a rule book: inflation, newcomers, reforms."""

from ratingbook.lab.simulate.run import Simulated, simulate
from ratingbook.lab.simulate.scenario import NAMED, Scenario, ScenarioError, scenario

__all__ = ["NAMED", "Scenario", "ScenarioError", "Simulated", "scenario", "simulate"]

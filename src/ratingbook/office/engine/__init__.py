"""The door of the office to the engine: what is fed, the rules, and what they make of it.

No other module of the office imports the engine.
"""

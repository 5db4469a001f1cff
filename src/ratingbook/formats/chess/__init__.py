"""Files of chess programs and federations that have no room of their own.

SwissPerfect, the ICU's results from abroad, and Papi, of which it is said what it is.
"""

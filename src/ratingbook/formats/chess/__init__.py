"""Files of chess programs and federations that have no room of their own.

SwissPerfect, the ICU's results from abroad, and Papi and Swiss-Manager's own files, of which
it is said what they are.
"""

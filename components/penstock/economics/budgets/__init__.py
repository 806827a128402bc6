"""How each cloud's budgets tell their monthly limit."""

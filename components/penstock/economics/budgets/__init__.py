"""How each cloud's budgets write their monthly limit."""

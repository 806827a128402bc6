"""Cloud objects as all that judges, counts or prices them reads them: once each, from the resource."""

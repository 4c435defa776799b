"""Pictures of tiles, one folder a skin: data only."""

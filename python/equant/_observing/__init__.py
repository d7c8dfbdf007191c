"""When a star can be observed: places, the sky over them, nights, slots and calendars."""

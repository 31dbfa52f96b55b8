/** Loaded into each program of an example: when the stage is gone, however that came about, so is the program. */
process.once('disconnect', () => process.exit());
// Listening must not keep a program alive that has done its work.
process.channel?.unref();

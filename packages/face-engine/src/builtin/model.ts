/** The built-in engine's embedding, named apart from the engine so that nobody loads models to learn its name. */
export const BUILTIN_MODEL = 'builtin-128-1'
export const BUILTIN_DIMENSIONS = 128

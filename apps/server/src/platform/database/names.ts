/** Names of tables and columns: camel case in code, snake case in PostgreSQL. */

/** Return the PostgreSQL name of a name in code. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** Return the name in code of a PostgreSQL name. */
export const camelCase = (name: string): string => name.replace(/(?!^)_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

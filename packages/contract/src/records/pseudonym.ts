/** What stands in a record in place of a person who was erased. */

/** Whether an id is a pseudonym: a UUIDv8, which nothing else here is. */
export const isPseudonym = (personId: string | null | undefined): boolean => personId?.[14] === '8'

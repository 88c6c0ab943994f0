/** Pseudonyms, which replace the id of an erased person in a record. */

/** Return whether an id is a pseudonym: a UUIDv8, which no other id here is. */
export const isPseudonym = (personId: string | null | undefined): boolean => personId?.[14] === '8'

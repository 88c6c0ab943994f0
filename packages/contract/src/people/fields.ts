/** Names, phones and group names: the same rules for persons, contacts and visitors. */
import { z } from 'zod'
import { PERSON_NAME_MAX, PHONE_MAX, PHONE_MIN } from '../limits.ts'
import { masked } from '../masking.ts'
import { refusedAs, rule } from '../validation.ts'

/** The nine characters that a name cannot contain. */
export const FORBIDDEN_IN_NAME = /[\\/:*?"<>|]/
/** A form that shows a masked name sends it back: the server replaces it with the stored name, and refuses any other masked one. */
const MASKED_NAME = /^[^\\/:*?"<>|]?\*{1,8}[^\\/:*?"<>|]?$/u
export const personName = masked(
  'name',
  z
    .string()
    .trim()
    .min(1)
    .max(PERSON_NAME_MAX, refusedAs(200225))
    .refine((value) => !FORBIDDEN_IN_NAME.test(value) || MASKED_NAME.test(value), rule('name')),
)
/** Digits and + * #, 3 to 32 of them (AMBIGUITIES 36). */
export const phone = masked(
  'phone',
  z
    .string()
    .trim()
    .min(PHONE_MIN, refusedAs(900114))
    .max(PHONE_MAX, refusedAs(900114))
    .refine((value) => /^[0-9+*#]+$/.test(value), { ...rule('phone'), ...refusedAs(900114) }),
)
/** Return whether a name is allowed for a person group: Chinese, English, digits, underscore. 〇 is a digit of Chinese years. */
export const isGroupName = (name: string): boolean => /^[[\p{Script=Han}&&\p{L}]〇A-Za-z0-9_]+$/v.test(name)
/** Return whether a group named `before` can have this name: an old name that the rule does not allow can stay. */
export const isGroupNameAfter = (before: string, name: string): boolean => name === before || isGroupName(name)
/** Name in a change: the server checks the rule only if the name differs from the stored one. */
export const changedGroupName = z.string().trim().min(1).max(32)
export const groupName = changedGroupName.refine(isGroupName, rule('groupName'))

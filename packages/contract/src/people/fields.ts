/** Names, phones and group names: the same for persons, contacts, visitors. */
import { z } from 'zod'
import { PERSON_NAME_MAX, PHONE_MAX, PHONE_MIN } from '../limits.ts'
import { masked } from '../masking.ts'
import { refusedAs, rule } from '../validation.ts'

/** The nine characters a name must not hold. */
export const FORBIDDEN_IN_NAME = /[\\/:*?"<>|]/
/** A form that showed a masked name sends it back: the server puts the stored one in its place, and refuses any other. */
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
/** Whether a person group may be called so: Chinese, English, digits, underscore. 〇 is a digit of Chinese years. */
export const isGroupName = (name: string): boolean => /^[[\p{Script=Han}&&\p{L}]〇A-Za-z0-9_]+$/v.test(name)
/** Whether a group that is called `before` may be called so: what it is called from before the rule stays. */
export const isGroupNameAfter = (before: string, name: string): boolean => name === before || isGroupName(name)
/** Of a change: whether it is changed is held against what is stored. */
export const changedGroupName = z.string().trim().min(1).max(32)
export const groupName = changedGroupName.refine(isGroupName, rule('groupName'))

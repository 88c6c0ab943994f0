import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { failReason } from '@gatehouse/contract/enums/access'

/**
 * Return whether the face on a record is of no registered person; a registered one without a strategy (19) or disabled (902) is no
 * stranger.
 */
export const isStranger = (record: AccessRecord): boolean => record.personId === null && record.failReason === failReason.notRegistered

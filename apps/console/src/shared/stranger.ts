import type { AccessRecord } from '@gatehouse/contract/records/calls'
import { failReason } from '@gatehouse/contract/enums/access'

/** Somebody nobody knows; a known person without a strategy (19) or disabled (902) is none. */
export const isStranger = (record: AccessRecord): boolean => record.personId === null && record.failReason === failReason.notRegistered

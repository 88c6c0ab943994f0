/** What other areas print of a visit. */
import { customFieldInputType, visitorStatus } from '@gatehouse/contract/enums/visitors'
import type { Platform } from '../../platform/context.ts'
import type { Scope } from '../../platform/session/session.ts'
import type { Configuration } from './configuration.ts'
import { shownValues } from './own-fields.ts'
import type { Passes } from './passes.ts'
import { statusOf } from './policy.ts'
import { findVisits } from './visits-data.ts'

export interface VisitBadge {
  visitId: string
  name: string
  /** Name of the host; empty where there is none. */
  hostName: string
  /** Persons, the visitor included. */
  persons: number
  photoFileId: string | null
  visitTime: number
  /** When the right to pass ends. */
  validUntil: number
  /** Own fields that the list of visits shows and that have a value, such as the visitor's company. */
  fields: { title: string; value: string }[]
  /** The company that is visited, as the configuration of visits names it; empty where it names none. */
  company: string
  /** Text of the QR code that the visitor passes by; null where there is none. */
  code: string | null
  /** Whether the visit is agreed and not over: no other visitor gets a badge. */
  isValid: boolean
}

export interface VisitBadges {
  /** Return what a badge shows; null for a visit that this park does not have. */
  of(scope: Scope, visitId: string): Promise<VisitBadge | null>
  /** Return the names of the visitors of these visits, in no order. */
  names(scope: Scope, visitIds: readonly string[]): Promise<{ id: string; name: string }[]>
}

const AGREED: readonly number[] = [visitorStatus.notYetVisited, visitorStatus.checkedIn, visitorStatus.awaitingVerification]

export function createVisitBadges(
  { db, storage, clock }: Pick<Platform, 'db' | 'storage' | 'clock'>,
  configuration: Configuration,
  passes: Pick<Passes, 'passOf'>,
): VisitBadges {
  return {
    async of(scope, visitId) {
      const [row] = await findVisits(scope, db, [visitId])
      if (row === undefined) return null
      const shown = configuration
        .form(scope)
        .fields.filter(({ showInVisitorList, inputType }) => showInVisitorList && inputType !== customFieldInputType.image)
      return {
        visitId,
        name: row.name,
        hostName: row.hostName,
        persons: row.visitorNumber,
        photoFileId: row.photoFileId,
        visitTime: row.visitAt,
        validUntil: row.expiresAt,
        fields: shownValues(scope, storage, shown, row.customFields)
          .filter(({ value }) => value !== '')
          .map(({ title, value }) => ({ title, value })),
        company: configuration.of(scope).companyName,
        code: (await passes.passOf(scope, visitId))?.text ?? null,
        isValid: row.enabled && AGREED.includes(statusOf(row)) && row.expiresAt > clock.now(),
      }
    },
    names: async (scope, visitIds) => (await findVisits(scope, db, visitIds)).map(({ id, name }) => ({ id, name })),
  }
}

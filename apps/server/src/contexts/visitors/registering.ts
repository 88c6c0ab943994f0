/** Makes visits: reservations, invitations, and registrations at the desk. */
import type { z } from 'zod'
import { reservationChannel, visitorSignInSource, visitorSource } from '@gatehouse/contract/enums/visitors'
import { visitCreate } from '@gatehouse/contract/visitors/fields'
import { statusAfter, type VisitEvent, type VisitorStatus } from '@gatehouse/contract/visitors/transitions'
import type { Platform } from '../../platform/context.ts'
import { violatedConstraint, type Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/database/ids.ts'
import { refuse } from '../../platform/http/refusal.ts'
import { unmasked } from '../../platform/session/masking.ts'
import type { Scope } from '../../platform/session/session.ts'
import { announceStatus } from './announcing.ts'
import type { Configuration } from './configuration.ts'
import type { VisitCaller } from './dependencies.ts'
import type { FormValues } from './form-types.ts'
import { loggedDraft } from './logged.ts'
import type { Notices } from './notices.ts'
import type { Numbers } from './numbers.ts'
import { replacePeers } from './peers-data.ts'
import type { Rights } from './rights.ts'
import { insertVisit } from './visits-data.ts'

/** What an open page adds to a form. */
export interface OpenForm {
  hostName: string
  /** What else the desk has to check. */
  checks: readonly 'host'[]
  /** Writes with the visit. */
  alongside(tx: Transaction, visit: { id: string; expiresAt: number }): Promise<void>
}

/** What an import decides of a visit besides its form. */
export interface ChosenVisit {
  /** Of the visit: the same again makes no second one. */
  id: string
  /** Writes with the visit. */
  alongside(tx: Transaction): Promise<void>
}

export interface Registering {
  /**
   * Make a visit. One of an open page always waits: for its host where the park asks hosts and nothing has to be checked, else for the
   * desk. Were it accepted by itself, that it was not would say that its phone is somebody's.
   * @throws InvalidRequest; Refusal 200445, 200446, 200207; Hindered where a compliance rule forbids what the visit would allow
   */
  create(
    scope: Scope,
    fields: z.output<typeof visitCreate>,
    caller: VisitCaller,
    open?: OpenForm,
    chosen?: ChosenVisit,
  ): Promise<{ id: string; status: VisitorStatus }>
}

export interface VisitParts {
  configuration: Configuration
  numbers: Numbers
  formValues: FormValues
  rights: Rights
  notices: Notices
}

const EVENT_OF: Readonly<Record<number, VisitEvent>> = {
  [visitorSource.reservation]: 'reserved',
  [visitorSource.invitation]: 'invited',
  [visitorSource.temporary]: 'registered',
}

/** Refuse a visitor who is there already; any other error is thrown unchanged. */
export function refusePresent(error: unknown): never {
  if (violatedConstraint(error) === 'visit_present') refuse(200445, 'phone')
  throw error
}

export function createRegistering(platform: Platform, { configuration, notices, numbers, formValues, rights }: VisitParts): Registering {
  return {
    async create(scope, sent, { operator, masking, language }, open, chosen) {
      const fields = unmasked({ masking }, visitCreate, sent)
      const id = chosen?.id ?? newId()
      const draft = await formValues.of(scope, id, fields, null, { language, ...(open && { open }) })
      const inspected = open === undefined ? await numbers.check(scope, fields, null) : await numbers.inspect(scope, fields, null)
      const deskChecks = [...(inspected?.checks ?? []), ...(open?.checks ?? [])]
      const isAtDesk = fields.source === visitorSource.temporary
      const circumstances = configuration.conditions(scope)
      const isForHost = circumstances.hostConfirms && draft.values.hostId !== null && deskChecks.length === 0
      const status = statusAfter(null, EVENT_OF[fields.source]!, {
        ...circumstances,
        approvalSwitch: circumstances.approvalSwitch || (open !== undefined && !isForHost),
      })!
      const { details, values, peers } = draft
      const watchMatches = [
        ...(inspected?.matches ?? []),
        ...(await numbers.matches(scope, { idNumber: details.certificate?.number ?? null, photoFileId: values.photoFileId })),
      ]
      const channel = open === undefined ? reservationChannel.platform : reservationChannel.mobile
      const insert = async (tx: Transaction, personId: string | null): Promise<void> => {
        const now = platform.clock.now()
        await insertVisit(
          scope,
          tx,
          {
            id,
            status,
            source: fields.source,
            channel: fields.source === visitorSource.reservation ? channel : null,
            enteredAt: isAtDesk ? now : null,
            signInSource: isAtDesk ? visitorSignInSource.web : null,
            personId,
            registeredBy: operator,
          },
          { ...values, watchMatches, deskChecks },
          now,
        )
        await replacePeers(
          scope,
          tx,
          id,
          peers.map(({ row }) => row),
        )
        await platform.storage.keep(tx, scope, draft.fileIds)
        await open?.alongside(tx, { id, expiresAt: values.expiresAt })
        // After the link of the visit: an e-mail to the host begins its own with the same address.
        await announceStatus(platform, notices, tx, scope, id, { before: null, after: status })
        // Not for an open page, which shows it: a stranger could have the park pay for messages to any number.
        if (open === undefined && fields.source === visitorSource.reservation) await notices.reserved(tx, scope, { id, ...values })
        await chosen?.alongside(tx)
        platform.audit.note({ entity: 'visit', id, label: values.name, labelMask: 'name', after: { ...loggedDraft(draft), status } })
      }
      const isGranted = rights.applyTo(scope, { status, enabled: true })
      await (isGranted ? rights.grant(scope, { ...values, details }, insert) : platform.transaction((tx) => insert(tx, null))).catch(
        refusePresent,
      )
      if (isGranted && peers.length > 0) await rights.grantPeers(scope, id)
      return { id, status }
    },
  }
}

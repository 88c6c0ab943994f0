/** Links of one visit: for its visitor, who was invited, and for its host, who decides on it. */
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { visitorSource, visitorStatus } from '@gatehouse/contract/enums/visitors'
import { visitorLinkCalls } from '@gatehouse/contract/visitors/appointments'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useMayCall } from '../../../api/session.ts'
import { consoleAddress } from '../../../kit/consoleAddress.ts'
import { useEditor, type Editor } from '../../../kit/form/useEditor.ts'
import { useWrite } from '../../../kit/form/useWrite.ts'
import type { RowAction } from '../../../kit/list/RowMenu.tsx'

/** A new link, whose address is shown once. */
export interface MadeLink extends DataOf<typeof visitorLinkCalls.createLink> {
  kind: 'park' | 'invitation' | 'host'
  title: string
  /** How the user wanted it sent. */
  requested: LinkWays
}

/** Ways in which a link is sent to its visitor. */
export interface LinkWays {
  mail: boolean
  text: boolean
}

export interface VisitLinks {
  /** Whether the session may make links at all. */
  offered: boolean
  menuOf: (visit: VisitRow) => RowAction[]
  inviting: Editor<VisitRow>
  /** Make a link for the gate, valid for the usual time. */
  makePark: () => void
  /** Make a link for the visitor of an invitation. @param ways in which it is sent */
  invite: (visit: VisitRow, ways: LinkWays) => void
  pending: boolean
  /** The link that was made last, until its dialog is closed. */
  made: MadeLink | undefined
  dismiss: () => void
}

const UNSENT: LinkWays = { mail: false, text: false }
const UNDECIDED: readonly number[] = [visitorStatus.toConfirm, visitorStatus.pendingReview]

const isInvited = ({ source, status, enabled }: VisitRow): boolean =>
  source === visitorSource.invitation && status === visitorStatus.notYetVisited && enabled

/** Return whether the host can decide: a visit that the desk has to check is decided by the desk. */
const isForHost = ({ status, enabled, intervieweeId, deskChecks }: VisitRow): boolean =>
  UNDECIDED.includes(status) && enabled && intervieweeId !== null && deskChecks.length === 0

export function useVisitLinks(): VisitLinks {
  const { t } = useTranslation('visitors')
  const offered = useMayCall(visitorLinkCalls.createLink)
  const inviting = useEditor<VisitRow>()
  const [made, setMade] = useState<MadeLink>()
  const create = useWrite(visitorLinkCalls.createLink)

  async function make(kind: MadeLink['kind'], title: string, visitId: string | null, ways = UNSENT): Promise<void> {
    try {
      const link = await create.send({ body: { kind, visitId, ...ways, address: consoleAddress() } })
      inviting.close()
      setMade({ ...link, kind, title, requested: ways })
    } catch {
      // The refusal has been shown already.
    }
  }

  return {
    offered,
    menuOf: (visit) => {
      const { id, name, visiteeName: host } = visit
      return [
        { key: 'invitation', label: t('links.invitation'), allowed: offered && isInvited(visit), run: () => inviting.edit(visit) },
        {
          key: 'host',
          label: t('links.host'),
          allowed: offered && isForHost(visit),
          run: () => void make('host', t('links.hostOf', { host, name }), id),
        },
      ]
    },
    inviting,
    makePark: () => void make('park', t('links.open'), null),
    invite: ({ id, name }, ways) => void make('invitation', t('links.invitationOf', { name }), id, ways),
    pending: create.pending,
    made,
    dismiss: () => setMade(undefined),
  }
}

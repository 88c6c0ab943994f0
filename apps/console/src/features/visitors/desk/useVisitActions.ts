/** What users do with visits: accepted, refused, cancelled, signed in, signed off, blocked, deleted; one visit or several. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { OutputOf } from '@gatehouse/contract'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { readAfter } from '../../../api/query.ts'
import { Refusal, sentenceOf, sentenceOfIssue } from '../../../api/refusal.ts'
import { request } from '../../../api/request.ts'
import { useMayCall } from '../../../api/session.ts'
import { modal, toast } from '../../../kit/feedback.tsx'
import { useEditor, type Editor } from '../../../kit/form/useEditor.ts'
import type { RowAction } from '../../../kit/list/RowMenu.tsx'
import { useVisitLinks, type VisitLinks } from '../links/useVisitLinks.ts'
import { useVisitPrinting, type VisitPrinting } from './useVisitPrinting.ts'

type Decided = OutputOf<typeof visitorCalls.accept.data>
type ReadVisit = Pick<VisitRow, 'id' | 'status'>

/** A visit of several that stayed as it was. */
export interface RefusedVisit {
  id: string
  name: string
  reason: string
}

/** How visitors are signed off: the card is returned, or without it. Absent: no card was issued. */
export interface SignOff {
  cardReturned?: boolean
  forced?: boolean
}

export interface VisitActions {
  /** Whether the session may change visits at all. */
  mayChange: boolean
  accept: (visits: VisitRow[]) => void
  refuse: (visits: VisitRow[], rejectReason: string) => void
  signOff: (visits: VisitRow[], how: SignOff) => void
  remove: (visits: VisitRow[]) => void
  /** Dialogs that ask for more before the call is sent. */
  refusing: Editor<VisitRow[]>
  signingIn: Editor<VisitRow>
  signingOff: Editor<VisitRow[]>
  editing: Editor<VisitRow>
  printing: VisitPrinting
  links: VisitLinks
  menuOf: (visit: VisitRow) => RowAction[]
  /** Visits that the last call for several refused. */
  refused: readonly RefusedVisit[]
  dismiss: () => void
}

const readVisits = (visits: readonly VisitRow[]): ReadVisit[] => visits.map(({ id, status }) => ({ id, status }))

/** Return a function that sends a call and then reads the list again, also after a refusal: the visit may have changed meanwhile. */
function useSend() {
  const { t } = useTranslation('visitors')
  const cache = useQueryClient()
  /** Return the sentence for a refused call: that of the first field, where the refusal names one. */
  function wordsOf(refusal: Refusal): string {
    const [issue] = refusal.fields
    if (issue === undefined || refusal.family === 'business') return sentenceOf(refusal)
    return issue.path === 'accessGroupIds' ? t('noAccessRule') : sentenceOfIssue(issue)
  }
  return async function send<Answer>(call: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      if (!error.cancelled) toast('error', wordsOf(error))
      return undefined
    } finally {
      void readAfter(cache, visitorCalls.accept)
    }
  }
}

/** @param select marks the visits that a call for several refused */
export function useVisitActions(select: (ids: string[]) => void): VisitActions {
  const { t } = useTranslation('visitors')
  const mayChange = useMayCall(visitorCalls.change)
  const send = useSend()
  const [refused, setRefused] = useState<readonly RefusedVisit[]>([])
  const refusing = useEditor<VisitRow[]>()
  const signingIn = useEditor<VisitRow>()
  const signingOff = useEditor<VisitRow[]>()
  const editing = useEditor<VisitRow>()
  const printing = useVisitPrinting()
  const links = useVisitLinks()

  async function decide(visits: VisitRow[], call: (read: ReadVisit[]) => Promise<Decided>, done: (count: number) => string): Promise<void> {
    setRefused([])
    const answer = await send(() => call(readVisits(visits)))
    if (answer === undefined) return
    if (answer.changed > 0) toast('success', done(answer.changed))
    setRefused(answer.refused.map(({ id, reason }) => ({ id, reason, name: visits.find((one) => one.id === id)?.name ?? '' })))
    select(answer.refused.map(({ id }) => id))
  }
  const accept = (visits: VisitRow[]): void =>
    void decide(
      visits,
      (read) => request(visitorCalls.accept, { body: { visits: read } }, { errors: 'inline' }),
      (count) => t('done.accepted', { count }),
    )
  const revoke = (visit: VisitRow): void =>
    void decide(
      [visit],
      (read) => request(visitorCalls.revoke, { body: { visits: read } }, { errors: 'inline' }),
      (count) => t('done.revoked', { count }),
    )
  async function setEnabled({ id }: VisitRow, status: 0 | 1): Promise<void> {
    const answer = await send(() => request(visitorCalls.block, { body: { ids: [id], status } }, { errors: 'inline' }))
    if (answer !== undefined) toast('success', t(status === 0 ? 'done.blocked' : 'done.unblocked'))
  }
  async function deleteNow(visits: VisitRow[]): Promise<void> {
    const answer = await send(() =>
      request(visitorCalls.delete, { query: { ids: visits.map(({ id }) => id) }, body: {} }, { errors: 'inline' }),
    )
    if (answer === undefined) return
    toast('success', t('done.deleted', { count: answer.deleted }))
    select([])
  }
  const remove = (visits: VisitRow[]): void =>
    modal.confirm({
      title: visits.length === 1 ? t('deleteOne', { name: visits[0]?.name }) : t('deleteSeveral', { count: visits.length }),
      content: t('deleteWords'),
      okText: t('delete'),
      okButtonProps: { danger: true },
      cancelText: t('common:cancel'),
      onOk: () => deleteNow(visits),
    })
  const askRevoke = (visit: VisitRow): void =>
    modal.confirm({
      title: t('revokeTitle', { name: visit.name }),
      content: t('revokeWords'),
      okText: t('revoke'),
      okButtonProps: { danger: true },
      cancelText: t('keep'),
      onOk: () => revoke(visit),
    })

  return {
    mayChange,
    accept,
    refuse: (visits, rejectReason) =>
      void decide(
        visits,
        (read) => request(visitorCalls.refuse, { body: { visits: read, rejectReason } }, { errors: 'inline' }),
        (count) => t('done.refused', { count }),
      ),
    signOff: (visits, how) =>
      void decide(
        visits,
        (read) => request(visitorCalls.signOff, { body: { visits: read, ...how } }, { errors: 'inline' }),
        (count) => t('done.signedOff', { count }),
      ),
    remove,
    refusing,
    signingIn,
    signingOff,
    editing,
    printing,
    links,
    menuOf: (visit) => {
      const can = (ability: keyof VisitRow['can']): boolean => mayChange && visit.can[ability]
      return [
        { key: 'accept', label: t('accept'), allowed: can('accept'), run: () => accept([visit]) },
        { key: 'refuse', label: t('refuse'), allowed: can('refuse'), danger: true, run: () => refusing.edit([visit]) },
        { key: 'signIn', label: t('signIn'), allowed: can('signIn'), run: () => signingIn.edit(visit) },
        { key: 'verify', label: t('verify'), allowed: can('verify'), run: () => signingIn.edit(visit) },
        { key: 'signOff', label: t('signOff'), allowed: can('signOff'), run: () => signingOff.edit([visit]) },
        ...printing.menuOf(visit),
        ...links.menuOf(visit),
        { key: 'edit', label: t('edit'), allowed: can('change'), run: () => editing.edit(visit) },
        { key: 'revoke', label: t('revoke'), allowed: can('revoke'), danger: true, run: () => askRevoke(visit) },
        { key: 'unblock', label: t('unblock'), allowed: can('unblock'), run: () => void setEnabled(visit, 1) },
        { key: 'block', label: t('block'), allowed: can('block'), danger: true, run: () => void setEnabled(visit, 0) },
        { key: 'delete', label: t('delete'), allowed: can('delete'), danger: true, run: () => remove([visit]) },
      ]
    },
    refused,
    dismiss: () => setRefused([]),
  }
}

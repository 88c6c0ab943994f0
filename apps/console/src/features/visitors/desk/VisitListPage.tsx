/** /visitorCurrent: the desk. Visits are decided, signed in and signed off here, by mouse or by keyboard. */
import { AppstoreOutlined, BarsOutlined, PlusOutlined } from '@ant-design/icons'
import { Alert, Button, Segmented } from 'antd'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { visitorSource } from '@gatehouse/contract/enums/visitors'
import { visitorCalls } from '@gatehouse/contract/visitors/calls'
import type { VisitRow } from '@gatehouse/contract/visitors/visit'
import { useMayOpen } from '../../../api/session.ts'
import { useEnumOptions } from '../../../kit/detail/EnumTag.tsx'
import { KEYS } from '../../../kit/keys.ts'
import { Screen } from '../../../kit/detail/Screen.tsx'
import { flatChoices } from '../../../kit/form/treeChoices.ts'
import { FilterBar } from '../../../kit/list/FilterBar.tsx'
import { ListTable } from '../../../kit/list/ListTable.tsx'
import { ListTools } from '../../../kit/list/ListTools.tsx'
import { RangeField } from '../../../kit/list/RangeField.tsx'
import { RowMenu } from '../../../kit/list/RowMenu.tsx'
import { useDrawer } from '../../../kit/list/useDrawer.ts'
import { useList } from '../../../kit/list/useList.ts'
import { path } from '../../../paths.ts'
import { screens } from '../../../screens.ts'
import { LinksButton } from '../links/LinksButton.tsx'
import { BulkVisits } from './BulkVisits.tsx'
import { DeskCounts } from './DeskCounts.tsx'
import { MachineConflicts } from './MachineConflicts.tsx'
import { ImportButton } from './ImportButton.tsx'
import { useDeskKeys } from './useDeskKeys.ts'
import { useVisitActions, type RefusedVisit, type VisitActions } from './useVisitActions.ts'
import { useVisitColumns } from './visitColumns.tsx'
import { VisitCards } from './VisitCards.tsx'
import { VisitFilters } from './VisitFilters.tsx'
import { useVisitorGroups } from '../visitorGroups.ts'
import { VISIT_PARAMETER } from '../visitPaths.ts'
import type { Visits } from './visits.ts'
import styles from './desk.module.css'

const VisitDrawer = lazy(() => import('./VisitDrawer.tsx'))
const RefuseDialog = lazy(() => import('./RefuseDialog.tsx'))
const SignInDialog = lazy(() => import('./SignInDialog.tsx'))
const SignOffDialog = lazy(() => import('./SignOffDialog.tsx'))
const InvitationDialog = lazy(() => import('../links/InvitationDialog.tsx'))
const MadeLinkDialog = lazy(() => import('../links/MadeLinkDialog.tsx'))
const VisitDialog = lazy(() => import('../form/VisitDialog.tsx'))

/** Days that the list looks back when no time is chosen. */
const WINDOW = 7

export default function VisitListPage() {
  const { t } = useTranslation('visitors')
  const list = useList(visitorCalls.list, { name: 'visits' })
  const columns = useVisitColumns()
  const actions = useVisitActions(list.setSelected)
  const { open, used, show } = useDrawer(VISIT_PARAMETER)
  const { isCards, setView } = useView()
  const { refusing, signingIn, signingOff, editing, links } = actions
  const isAway = links.made !== undefined || [refusing, signingIn, signingOff, editing, links.inviting].some((dialog) => dialog.open)
  const { frame, ...handlers } = useDeskKeys(list.rows, actions, isAway)
  const register = useRegisterButton()
  const empty = { title: t('empty'), action: register }
  return (
    <Screen
      title={t('shell:title.visitorCurrent')}
      note={!list.pending && t('total', { count: list.total })}
      actions={
        <>
          <Segmented
            aria-label={t('view')}
            value={isCards ? 'cards' : 'table'}
            onChange={setView}
            options={[
              { value: 'table', icon: <BarsOutlined />, label: t('asTable') },
              { value: 'cards', icon: <AppstoreOutlined />, label: t('asCards') },
            ]}
          />
          <ImportButton />
          <LinksButton links={links} />
          {register}
        </>
      }
    >
      <DeskCounts statuses={list.query.status} />
      <MachineConflicts mayChange={actions.mayChange} show={show} />
      <Filters list={list}>
        <ListTools list={list} columns={columns} />
      </Filters>
      <RefusedVisits refused={actions.refused} dismiss={actions.dismiss} />
      <div ref={frame} role="presentation" className={styles.list} {...handlers}>
        {isCards ? (
          <VisitCards list={list} open={show} empty={empty} />
        ) : (
          <ListTable
            list={list}
            columns={columns}
            empty={empty}
            onOpen={({ id }) => show(id)}
            {...(actions.mayChange && {
              bulk: (ids: string[]) => <BulkVisits visits={list.rows.filter(({ id }) => ids.includes(id))} actions={actions} />,
            })}
            {...((actions.mayChange || actions.printing.offered) && {
              actions: (visit: VisitRow) => <RowMenu name={visit.name} actions={actions.menuOf(visit)} />,
            })}
          />
        )}
        {list.rows.length > 0 && <KeyHints actions={actions} />}
      </div>
      <Suspense fallback={null}>
        {used && <VisitDrawer open={open} rows={list.rows} actions={actions} show={show} />}
        <Dialogs actions={actions} />
      </Suspense>
    </Screen>
  )
}

/** Return the button that leads to the form of a new visit; nothing for a session that may not open it. */
function useRegisterButton() {
  const { t } = useTranslation('visitors')
  const navigate = useNavigate()
  const mayRegister = useMayOpen(screens.visitorRegister)
  return (
    mayRegister && (
      <Button type="primary" icon={<PlusOutlined />} onClick={() => void navigate(path('visitorRegister'))}>
        {t('register')}
      </Button>
    )
  )
}

function Filters({ list, children }: { list: Visits; children: React.ReactNode }) {
  const { t } = useTranslation('visitors')
  const optionsOf = useEnumOptions()
  const groups = useVisitorGroups()
  return (
    <FilterBar
      list={list}
      filters={[
        { field: 'keyword', label: t('keyword') },
        { field: 'source', label: t('source'), options: optionsOf(visitorSource) },
        { field: 'visitorGroupId', label: t('group'), options: flatChoices(groups.choices) },
      ]}
    >
      <VisitFilters list={list} />
      <RangeField unset={WINDOW} value={list.query} onChange={list.setQuery} />
      {children}
    </FilterBar>
  )
}

/** The visits that a call for several refused, each with its reason. */
function RefusedVisits({ refused, dismiss }: { refused: readonly RefusedVisit[]; dismiss: () => void }) {
  const { t } = useTranslation('visitors')
  if (refused.length === 0) return null
  return (
    <Alert
      type="error"
      showIcon
      role="alert"
      className={styles.refused ?? ''}
      closable={{ onClose: dismiss }}
      title={t('notDone', { count: refused.length })}
      description={
        <ul>
          {refused.map(({ id, name, reason }) => (
            <li key={id}>{t('notDoneOne', { name, reason })}</li>
          ))}
        </ul>
      }
    />
  )
}

function Dialogs({ actions: { refusing, refuse, signingIn, signingOff, signOff, editing, printing, links } }: { actions: VisitActions }) {
  const { target: refusedVisits = [] } = refusing
  const { target: leaving = [] } = signingOff
  return (
    <>
      {refusing.openingCount > 0 && (
        <RefuseDialog
          key={`refuse ${refusing.openingCount}`}
          open={refusing.open}
          names={refusedVisits.map(({ name }) => name)}
          close={refusing.close}
          refuse={(reason) => refuse(refusedVisits, reason)}
        />
      )}
      {signingOff.openingCount > 0 && (
        <SignOffDialog
          key={`signOff ${signingOff.openingCount}`}
          open={signingOff.open}
          visits={leaving}
          close={signingOff.close}
          signOff={(how) => signOff(leaving, how)}
        />
      )}
      {signingIn.target && <SignInDialog key={`signIn ${signingIn.openingCount}`} editor={signingIn} visit={signingIn.target} />}
      {editing.target && <VisitDialog key={`edit ${editing.openingCount}`} editor={editing} id={editing.target.id} />}
      {links.inviting.target && (
        <InvitationDialog key={`invite ${links.inviting.openingCount}`} links={links} visit={links.inviting.target} />
      )}
      {links.made && <MadeLinkDialog made={links.made} close={links.dismiss} />}
      {printing.chooser}
    </>
  )
}

/** The keys of the list that the session may use. */
function KeyHints({ actions: { mayChange, printing } }: { actions: VisitActions }) {
  const { t } = useTranslation('visitors')
  const keys = [
    ...(mayChange ? (['accept', 'refuse', 'signIn', 'signOff'] as const) : []),
    ...(printing.offered ? (['print'] as const) : []),
  ]
  if (keys.length === 0) return null
  return (
    <p className={styles.keys}>
      {keys.map((key) => (
        <span key={key}>
          <kbd>{KEYS.visits[key][0].toUpperCase()}</kbd> {t(key)}
        </span>
      ))}
    </p>
  )
}

/** Return whether visits are shown as cards, as the address says. */
function useView() {
  const [search, setSearch] = useSearchParams()
  const setView = (view: string): void =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        if (view === 'cards') next.set('view', view)
        else next.delete('view')
        return next
      },
      { replace: true },
    )
  return { isCards: search.get('view') === 'cards', setView }
}

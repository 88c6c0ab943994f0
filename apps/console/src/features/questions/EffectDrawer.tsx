/** Persons who would gain or lose doors, by page, beside the form. */
import { Drawer, Segmented } from 'antd'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { Effect, AffectedPerson } from '@gatehouse/contract/questions/calls'
import { PAGE_SIZE_DEFAULT } from '@gatehouse/contract'
import { FilterBar } from '../../kit/list/FilterBar.tsx'
import { ListTable } from '../../kit/list/ListTable.tsx'
import type { AnyCall, LooseParts } from '../../api/http.ts'
import { useRead } from '../../api/query.ts'
import type { List } from '../../kit/list/useList.ts'
import { useListOf, useLocalQuery } from '../../kit/list/useLocalList.ts'
import type { Direction } from './effectWords.ts'
import { useAffectedColumns } from './questionColumns.tsx'
import { type EffectOf, EFFECT_CALLS } from './useEffectOf.ts'
import styles from './questions.module.css'

const WIDTH = 640

interface EffectDrawerProps {
  of: EffectOf
  /** Values of the form. */
  body: Record<string, unknown>
  /** Direction shown first; undefined: closed. */
  what: Direction | undefined
  devices: Effect['devices']
  close: () => void
}

export default function EffectDrawer({ of, body, what, devices, close }: EffectDrawerProps) {
  const { t } = useTranslation('questions')
  const inside = useRef<HTMLDivElement>(null)
  return (
    <Drawer
      open={what !== undefined}
      onClose={close}
      size={WIDTH}
      title={t('effect.title')}
      destroyOnHidden
      styles={{ body: { paddingBottom: 0, background: 'var(--surface)' } }}
      afterOpenChange={(open) => open && inside.current?.focus({ preventScroll: true })}
    >
      <div ref={inside} tabIndex={-1} className={styles.inside}>
        {what && <Affected of={of} body={body} what={what} devices={devices} />}
      </div>
    </Drawer>
  )
}

function Affected({ of, body, what, devices }: Omit<EffectDrawerProps, 'what' | 'close'> & { what: Direction }) {
  const { t } = useTranslation('questions')
  const list = useAffected(of, body, what)
  const columns = useAffectedColumns()
  const doors = devices.filter((door) => door[list.query.what] > 0).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <Segmented<Direction>
        aria-label={t('effect.title')}
        value={list.query.what}
        onChange={(chosen) => list.setQuery({ what: chosen, deviceId: undefined })}
        options={[
          { value: 'gain', label: t('effect.gaining') },
          { value: 'lose', label: t('effect.losing') },
        ]}
      />
      <FilterBar list={list} label={t('effect.title')} filters={[{ field: 'deviceId', label: t('door'), options: doors }]} />
      <ListTable list={list} columns={columns} empty={{ title: t('effect.nothing') }} />
    </>
  )
}

interface AffectedQuery {
  what: Direction
  deviceId?: string | undefined
}

/**
 * Return the persons who would gain or lose doors, as a list whose state ends with the drawer.
 * @param body values of the form @param what direction shown first
 */
function useAffected(of: EffectOf, body: Record<string, unknown>, what: Direction): List<AffectedPerson, AffectedQuery> {
  const state = useLocalQuery<AffectedQuery>({ what }, PAGE_SIZE_DEFAULT)
  const parts: LooseParts = { body: { ...body, ...state.query } }
  const answer = useRead(EFFECT_CALLS[of].persons as AnyCall, parts)
  return useListOf<AffectedPerson, AffectedQuery>('affectedPersons', state, answer, ['what'])
}

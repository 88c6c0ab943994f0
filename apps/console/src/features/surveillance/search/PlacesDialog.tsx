/** Places devices on the plan: dragged there or put there by a button, moved by arrow keys, taken away, and saved together. */
import { DeleteOutlined, HolderOutlined } from '@ant-design/icons'
import { Alert, Button, Input, Modal, Skeleton } from 'antd'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { DataOf } from '@gatehouse/contract'
import { faceSearchCalls } from '@gatehouse/contract/surveillance/face-search'
import { useReadOnce } from '../../../api/query.ts'
import { modal } from '../../../kit/feedback.tsx'
import { useWrite } from '../../../kit/form/useWrite.ts'
import { ListError } from '../../../kit/list/ListStates.tsx'
import { PlanMap } from '../../../kit/map/PlanMap.tsx'
import type { Place } from '../../../kit/map/planPlaces.ts'
import { useDevices } from '../../../shared/doorChoices.tsx'
import { freePlace, placedAfter, positionsToSave, type Changes, type PlacedDevice } from './placing.ts'
import styles from './places.module.css'

type Positions = DataOf<(typeof faceSearchCalls)['positions']>
interface Named {
  id: string
  name: string
}

interface PlacesDialogProps {
  open: boolean
  close: () => void
  /** Devices that are offered first. */
  first: readonly Named[]
}

/** Pixels, where the window has them. */
const WIDTH = 1240
/** What is dragged from the list to the plan. */
const DRAGGED = 'application/x-device'

export default function PlacesDialog({ open, close, first }: PlacesDialogProps) {
  const { t } = useTranslation('surveillance')
  const positions = useReadOnce(faceSearchCalls.positions, {})
  const [changes, setChanges] = useState<Changes>(new Map())
  const stored = useMemo(() => storedOf(positions.data), [positions.data])
  const save = useWrite(faceSearchCalls.savePositions, { done: t('track.placing.saved'), onDone: close })
  const devices = positionsToSave(stored, changes)

  function leave(): void {
    if (devices.length === 0) return close()
    modal.confirm({
      title: t('common:form.discardTitle'),
      content: t('common:form.discardWords'),
      okText: t('common:form.discard'),
      okButtonProps: { danger: true },
      cancelText: t('common:form.keepEditing'),
      onOk: close,
    })
  }
  return (
    <Modal
      open={open}
      title={t('track.placing.title')}
      width={`min(${WIDTH}px, calc(100vw - 48px))`}
      centered
      destroyOnHidden
      mask={{ closable: false }}
      okText={t('common:save')}
      okButtonProps={{ disabled: devices.length === 0 }}
      cancelText={t('common:cancel')}
      confirmLoading={save.pending}
      onOk={() => save.run({ body: { devices } })}
      onCancel={leave}
    >
      {positions.data !== undefined ? (
        <Placing plan={positions.data} stored={stored} changes={changes} change={setChanges} first={first} />
      ) : positions.isError ? (
        <ListError error={positions.error} retry={() => void positions.refetch()} />
      ) : (
        <Skeleton active paragraph={{ rows: 12 }} />
      )}
    </Modal>
  )
}

const storedOf = (plan: Positions | undefined): PlacedDevice[] =>
  plan?.devices.map(({ deviceId: id, deviceName: label, x, y }) => ({ id, label, x, y })) ?? []

interface PlacingProps {
  plan: Positions
  stored: PlacedDevice[]
  changes: Changes
  change: (changes: Changes) => void
  first: readonly Named[]
}

function Placing({ plan, stored, changes, change, first }: PlacingProps) {
  const { t } = useTranslation('surveillance')
  const lists = useRef<HTMLDivElement>(null)
  const [typed, setTyped] = useState('')
  const [selected, setSelected] = useState<string>()
  // A device that is placed by its button can be moved by arrow keys at once.
  const [focused, setFocused] = useState<string>()
  const { devices: found } = useDevices(typed)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(() => new Map(first.map(({ id, name }) => [id, name])))
  const placed = useMemo(
    () =>
      placedAfter(
        stored,
        changes,
        [...names].map(([id, name]) => ({ id, name })),
      ),
    [stored, changes, names],
  )
  const onPlan = new Set(placed.map(({ id }) => id))
  const matches = (name: string): boolean => name.toLowerCase().includes(typed.trim().toLowerCase())
  const free = [...new Map([...first, ...found].map((device) => [device.id, device])).values()].filter(
    ({ id, name }) => !onPlan.has(id) && matches(name),
  )
  const listed = placed.filter(({ label }) => matches(label))

  function move(id: string, to: Place | null): void {
    change(new Map(changes).set(id, to))
  }
  function place({ id, name }: Named, at: Place): void {
    setNames(new Map(names).set(id, name))
    move(id, at)
    setSelected(id)
    setFocused(id)
  }
  function remove(id: string): void {
    move(id, null)
    setFocused(undefined)
  }
  if (plan.picture === '') return <Alert type="info" showIcon title={t('track.placing.noPlan')} />
  return (
    <div className={styles.placing}>
      <div className={styles.map}>
        <PlanMap
          picture={plan.picture}
          label={t('track.plan')}
          pins={placed}
          selected={selected}
          focused={focused}
          onSelect={setSelected}
          onMove={(id, at) => {
            setSelected(id)
            move(id, at)
          }}
          onRemove={remove}
          onDropped={(data, at) => {
            const device = free.find(({ id }) => id === data.getData(DRAGGED))
            if (device !== undefined) place(device, at)
          }}
        />
      </div>
      <div ref={lists} tabIndex={-1} className={styles.lists}>
        <p>{t('track.placing.words')}</p>
        <Input.Search
          allowClear
          aria-label={t('track.placing.search')}
          placeholder={t('track.placing.search')}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <h2>{t('track.placing.free', { count: free.length })}</h2>
        <ul aria-label={t('track.placing.freeList')}>
          {free.map(({ id, name }) => (
            // The pointer's way; the button beside it is that of the keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
            <li key={id} draggable onDragStart={({ dataTransfer }) => dataTransfer.setData(DRAGGED, id)}>
              <HolderOutlined className={styles.grip} />
              <span title={name}>{name}</span>
              <Button size="small" aria-label={t('track.placing.placeOf', { name })} onClick={() => place({ id, name }, freePlace(placed))}>
                {t('track.placing.place')}
              </Button>
            </li>
          ))}
          {free.length === 0 && <li className={styles.none}>{t(typed === '' ? 'track.placing.allPlaced' : 'common:list.noMatch')}</li>}
        </ul>
        <h2>{t('track.placing.placed', { count: listed.length })}</h2>
        <ul aria-label={t('track.placing.placedList')}>
          {listed.map(({ id, label, x, y }) => (
            <li key={id} data-selected={id === selected || undefined}>
              <button type="button" onClick={() => setSelected(id)} title={label}>
                {label}
              </button>
              <output>{[x, y].map((fraction) => `${(fraction * 100).toFixed(1)}%`).join(' · ')}</output>
              <Button
                type="text"
                size="small"
                icon={<DeleteOutlined />}
                title={t('track.placing.remove')}
                aria-label={t('track.placing.removeOf', { name: label })}
                onClick={() => {
                  remove(id)
                  // The button goes with its row.
                  lists.current?.focus({ preventScroll: true })
                }}
              />
            </li>
          ))}
        </ul>
      </div>
    </div>
  )
}

/** /deviceDetails/{deviceId}: one device: its door, the facts about it, and the latest passages. */
import { EditOutlined, LoadingOutlined } from '@ant-design/icons'
import { useQueryClient } from '@tanstack/react-query'
import { Button, TreeSelect } from 'antd'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useMatch, useNavigate, useParams, useSearchParams } from 'react-router'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device, DeviceDetail } from '@gatehouse/contract/devices/device'
import type { DeviceTreeNode } from '@gatehouse/contract/devices/groups'
import { deviceAuthorisationStatus, doorOperation, doorState } from '@gatehouse/contract/enums/devices'
import { doorCalls } from '@gatehouse/contract/doors/calls'
import { DetailPage, Section } from '../../kit/detail/DetailPage.tsx'
import { readAfter, useRead } from '../../api/query.ts'
import { Screen } from '../../kit/detail/Screen.tsx'
import { useMay, useMayCall } from '../../api/session.ts'
import { addresses, path } from '../../paths.ts'
import { doorOption } from '../../shared/doorChoices.tsx'
import { EnumTag, StatusTag, useEnumLabel } from '../../kit/detail/EnumTag.tsx'
import { DeviceSync } from '../synchronisation/index.ts'
import { DeviceCare, DeviceCareSections } from '../maintenance/index.ts'
import { useDoorsLive } from '../doors/index.ts'
import { DeviceFacts } from './DeviceFacts.tsx'
import { DeviceState } from './DeviceState.tsx'
import { StoredPersons, NotReleased } from './deviceMarks.tsx'
import { useDeviceActions } from './useDeviceActions.tsx'
import { useDeviceStatus } from './useDeviceStatus.ts'
import { PassageRow, useLatestRecords } from './latestPassages.tsx'
import { useDoor, type Door, type DoorAnswer } from './useDoor.ts'
import styles from './devices.module.css'

const { authorised, unauthorised } = deviceAuthorisationStatus
/** `refresh=1`: read everything again, whatever is cached. */
const REFRESH = 'refresh'

export default function DeviceDetailPage() {
  const { deviceId = '' } = useParams()
  const device = useRead(deviceCalls.read, { params: { id: deviceId } })
  useDeviceStatus()
  useReadAgain()
  return <DetailPage query={device}>{(found) => <OneDevice device={found} />}</DetailPage>
}

/** Read the device again where the page is opened from a device page: what is cached may be a moment old. */
function useReadAgain(): void {
  const cache = useQueryClient()
  const { key } = useLocation()
  const isAsked = useSearchParams()[0].get(REFRESH) === '1'
  useEffect(() => {
    if (isAsked) void readAfter(cache, deviceCalls.read)
  }, [cache, isAsked, key])
}

function OneDevice({ device }: { device: DeviceDetail }) {
  const { t } = useTranslation('devices')
  const navigate = useNavigate()
  const actions = useDeviceActions({ onRemove: () => void navigate(path('deviceList')) })
  const { renewSecret, release } = actions
  const mayEdit = useMayCall(deviceCalls.change)
  return (
    <Screen
      title={device.name}
      note={<DeviceState device={device} />}
      actions={
        <>
          <DeviceSwitch />
          <DeviceCare device={device} />
          {mayEdit && (
            <Button danger type="text" onClick={() => actions.remove(device)}>
              {t('delete')}
            </Button>
          )}
          {mayEdit && device.authorisationStatus === authorised && (
            <Button danger type="text" onClick={() => actions.revoke(device)}>
              {t('revoke')}
            </Button>
          )}
          {mayEdit && <Button onClick={() => actions.move([device.id])}>{t('move')}</Button>}
          {renewSecret && (
            <Button onClick={() => renewSecret(device)}>{device.authorisationStatus === unauthorised ? t('authorise') : t('renew')}</Button>
          )}
          {mayEdit && (
            <Button icon={<EditOutlined />} onClick={() => actions.edit(device)}>
              {t('edit')}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.head}>
        <section>
          <h2>{t('door')}</h2>
          <DoorPanel device={device} />
        </section>
        <section>
          <h2>{t('personsHeld')}</h2>
          {!device.released && <NotReleased device={device} release={release} />}
          {(device.released || device.personsHeld > 0) && <StoredPersons device={device} large />}
          {useMay('access.rule') && <DeviceSync deviceId={device.id} name={device.name} />}
        </section>
      </div>
      <Section title={t('facts')}>
        <DeviceFacts device={device} />
      </Section>
      <DeviceCareSections device={device} />
      {useMay('access.record') && (
        <Section title={t('latestRecords')}>
          <DevicePassages deviceId={device.id} />
        </Section>
      )}
      {actions.dialogs}
    </Screen>
  )
}

/** The door of a device, large: three buttons, the state of the door, and the answer of the device. */
function DoorPanel({ device }: { device: Device }) {
  const label = useEnumLabel()
  useDoorsLive()
  const door = useDoor(device)
  const { answer, hindrance, operate } = door
  const mayControl = useMayCall(doorCalls.controlDoor)
  const asking = answer.step === 'asking' ? answer.operation : undefined
  return (
    <div className={styles.door}>
      {mayControl && (
        <div>
          {doorOperation.values.map((operation) => (
            <Button
              key={operation}
              size="large"
              type={operation === doorOperation.open ? 'primary' : 'default'}
              disabled={hindrance !== undefined || (asking !== undefined && asking !== operation)}
              loading={asking === operation}
              onClick={() => operate(operation)}
            >
              {label(doorOperation, operation)}
            </Button>
          ))}
        </div>
      )}
      <p role="status">{answer.step === 'idle' ? (hindrance ?? <State door={door} />) : <Answer answer={answer} />}</p>
    </div>
  )
}

/** The state of the door, which other users may have changed. */
function State({ door: { state, controlledBy } }: { door: Door }) {
  const { t } = useTranslation('doors')
  return (
    <>
      <EnumTag of={doorState} value={state ?? doorState.closed} />
      {controlledBy !== undefined && (
        <>
          {' '}
          <StatusTag status="bad">{t('heldBy', { name: controlledBy })}</StatusTag>
        </>
      )}
    </>
  )
}

function Answer({ answer }: { answer: Exclude<DoorAnswer, { step: 'idle' }> }) {
  if (answer.step === 'asking')
    return (
      <>
        <LoadingOutlined /> {answer.words}
      </>
    )
  const staysOpen = answer.operation === doorOperation.normallyOpen
  return <StatusTag status={answer.step === 'failed' ? 'bad' : staysOpen ? 'wait' : 'ok'}>{answer.words}</StatusTag>
}

interface Choice {
  value: string
  title: string
  code: string
  selectable: boolean
  children: Choice[]
}
/** Return the choices of the tree. A group cannot be chosen: it has no page. */
const choicesOf = (nodes: readonly DeviceTreeNode[]): Choice[] =>
  nodes.map(({ id, name, code = '', kind, children }) => ({
    value: id,
    title: name,
    code,
    selectable: kind === 'device',
    children: choicesOf(children),
  }))
const isFound = (typed: string, { title, code }: Choice): boolean =>
  [title, code].some((word) => word.toLowerCase().includes(typed.trim().toLowerCase()))

/** The field that opens another device, or the same one in its current state. */
function DeviceSwitch() {
  const { t } = useTranslation('devices')
  const open = useOpenDevice()
  const tree = useRead(deviceCalls.deviceTree, {})
  return (
    <TreeSelect<string | null, Choice>
      aria-label={t('otherDevice')}
      placeholder={t('otherDevice')}
      value={null}
      treeData={choicesOf(tree.data ?? [])}
      loading={tree.isPending}
      treeDefaultExpandAll
      showSearch={{ filterTreeNode: (typed, node) => isFound(typed, node as typeof node & Choice) }}
      treeTitleRender={({ title, code }) => (code === '' ? title : doorOption({ data: { label: title, code } }))}
      popupMatchSelectWidth={280}
      style={{ width: 160 }}
      onChange={(id: string | null) => id && open(id)}
    />
  )
}

/** Return a function that opens the page of a device. Called on such a page, it also requests all data again. */
function useOpenDevice(): (deviceId: string) => void {
  const navigate = useNavigate()
  const isThere = useMatch(addresses.deviceDetails.replace('{deviceId}', ':deviceId')) !== null
  return (deviceId) => void navigate(path('deviceDetails', { deviceId }) + (isThere ? `?${REFRESH}=1` : ''))
}

/** Records shown; the record list has the rest. */
const SHOWN = 12
/** Pixels of each side of a face. */
const FACE = 48

/** The latest passages at a device, both faces side by side. */
function DevicePassages({ deviceId }: { deviceId: string }) {
  const { t } = useTranslation('devices')
  const records = useLatestRecords({ deviceId, size: SHOWN })
  return (
    <DetailPage query={records}>
      {(rows) =>
        rows.length === 0 ? (
          <p className={styles.hint}>{t('noRecords')}</p>
        ) : (
          <ul className={styles.passages}>
            {rows.map((record) => (
              <PassageRow key={record.id} record={record} face={FACE} pair />
            ))}
          </ul>
        )
      }
    </DetailPage>
  )
}

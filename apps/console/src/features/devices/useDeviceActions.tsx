/** The actions on a device with their dialogs, the same in the list and on its own page. */
import { LoadingOutlined } from '@ant-design/icons'
import { Switch } from 'antd'
import { lazy, Suspense, useId, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { deviceAuthorisationStatus, deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { modal } from '../../kit/feedback.tsx'
import { useMayCall } from '../../api/session.ts'
import { useEditor } from '../../kit/form/useEditor.ts'
import { useUndo } from '../../kit/list/useUndo.tsx'
import { useWrite } from '../../kit/form/useWrite.ts'
import { useRead } from '../../api/query.ts'
import { shownName } from '../../kit/shownName.ts'
import type { Pairing } from './PairingDialog.tsx'
import styles from './devices.module.css'

const DeviceDialog = lazy(() => import('./DeviceDialog.tsx'))
const PairingDialog = lazy(() => import('./PairingDialog.tsx'))
const BatchDialog = lazy(() => import('./BatchDialog.tsx'))
const SecretsDialog = lazy(() => import('./SecretsDialog.tsx'))
const MoveDialog = lazy(() => import('./MoveDialog.tsx'))

interface DeviceActions {
  add: () => void
  /** Up to ten at once. */
  addMany: () => void
  edit: (device: Device) => void
  /** Asks first: a connected terminal loses its connection. Null, like `release`, where the user has no permission. */
  renewSecret: ((device: Device) => void) | null
  /** Asks first: persons are sent to the device, with all data by which they are recognised. */
  release: ((device: Device) => void) | null
  /** Asks first: no terminal can connect as this device any more. */
  revoke: (device: Device) => void
  /** Move to another group. */
  move: (ids: string[]) => void
  /** Asks first, then waits five seconds in which the deletion can be undone. */
  remove: (device: Device) => void
  /** Must be placed on the page. */
  dialogs: ReactNode
}

interface DeviceActionsOptions {
  /** Group that is offered first for a new device. */
  group?: DeviceGroupNode | undefined
  onMoved?: () => void
  /** Called once the user has agreed to delete, before anything is deleted. */
  onRemove?: () => void
}

export function useDeviceActions({ group, onMoved, onRemove }: DeviceActionsOptions = {}): DeviceActions {
  const { t } = useTranslation('devices')
  const undoable = useUndo()
  const editor = useEditor<Device>()
  const batch = useEditor<never>()
  const moving = useEditor<string[]>()
  const [pairing, setPairing] = useState<Pairing>()
  const [pairings, setPairings] = useState<Pairing[]>()
  const renewal = useWrite(deviceCalls.resetSecret, { onDone: setPairing })
  const releasing = useWrite(deviceCalls.release, { done: t('release.done') })
  const [mayPair, mayRelease] = [useMayCall(deviceCalls.resetSecret), useMayCall(deviceCalls.release)]
  const revocation = useWrite(deviceCalls.revoke, { done: t('revoked') })
  const removal = useWrite(deviceCalls.delete, { done: t('deleted') })

  return {
    add: editor.add,
    addMany: batch.add,
    move: moving.edit,
    edit: editor.edit,
    renewSecret: mayPair
      ? (device) => {
          const { id, name, authorisationStatus } = device
          const isNew = authorisationStatus === deviceAuthorisationStatus.unauthorised
          const options: SecretOptions = { release: mayRelease ? true : undefined }
          modal.confirm({
            title: t(isNew ? 'authoriseTitle' : 'renewTitle', { name }),
            content: <SecretQuestion device={device} options={options} />,
            okText: t(isNew ? 'authorise' : 'renew'),
            okButtonProps: { danger: !isNew },
            cancelText: t('common:cancel'),
            onOk: () => renewal.run({ params: { id }, body: options }),
          })
        }
      : null,
    release: mayRelease
      ? (device) =>
          modal.confirm({
            title: t('release.title', { name: device.name }),
            content: <ReleaseQuestion device={device} />,
            okText: t('release.release'),
            cancelText: t('common:cancel'),
            onOk: () => releasing.run({ params: { id: device.id } }),
          })
      : null,
    revoke: ({ id, name }) =>
      modal.confirm({
        title: t('revokeTitle', { name }),
        content: (
          <>
            <p>{t('revokeCutsOff')}</p>
            <p>{t('revokeAgain')}</p>
          </>
        ),
        okText: t('revoke'),
        okButtonProps: { danger: true },
        cancelText: t('common:cancel'),
        onOk: () => revocation.run({ params: { id } }),
      }),
    remove: ({ id, name, personsHeld }) =>
      modal.confirm({
        title: t('deleteTitle', { name }),
        content: (
          <>
            <p>{t('deleteLoss', { count: personsHeld })}</p>
            <p>{t('deleteStrategies')}</p>
            <p>{t('deleteKept')}</p>
          </>
        ),
        okText: t('delete'),
        okButtonProps: { danger: true },
        cancelText: t('common:cancel'),
        onOk: () => {
          onRemove?.()
          undoable(t('deleting', { name }), () => removal.run({ query: { ids: [id] } }))
        },
      }),
    dialogs: (
      <Suspense fallback={null}>
        {editor.openingCount > 0 && <DeviceDialog key={editor.openingCount} editor={editor} group={group} onAdded={setPairing} />}
        {batch.openingCount > 0 && <BatchDialog key={`batch.${batch.openingCount}`} editor={batch} group={group} onAdded={setPairings} />}
        {moving.openingCount > 0 && <MoveDialog key={`move.${moving.openingCount}`} editor={moving} onDone={onMoved} />}
        {pairing && <PairingDialog pairing={pairing} close={() => setPairing(undefined)} />}
        {pairings && <SecretsDialog pairings={pairings} close={() => setPairings(undefined)} />}
      </Suspense>
    ),
  }
}

/** The question before a release, with the number of persons it sends to the device. */
function ReleaseQuestion({ device: { id, pairedBy } }: { device: Device }) {
  const { t, i18n } = useTranslation('devices')
  const { data: effect } = useRead(deviceCalls.releaseEffect, { params: { id } })
  return (
    <>
      <p role="status">
        {effect ? t('release.words', { count: effect.persons, n: effect.persons.toLocaleString(i18n.language) }) : <LoadingOutlined />}
      </p>
      {pairedBy !== '' && <p>{t('release.pairedBy', { name: shownName(pairedBy) })}</p>}
    </>
  )
}

/** Choices in the question, written by its form; `release` is undefined where the user may not decide it. */
interface SecretOptions {
  release: boolean | undefined
}

/** The question before a new secret is made, with the consequences. */
function SecretQuestion({ device: { onlineStatus, authorisationStatus }, options }: { device: Device; options: SecretOptions }) {
  const { t } = useTranslation('devices')
  const mayRelease = useMayCall(deviceCalls.release)
  const renewal = onlineStatus === deviceOnlineStatus.online ? 'renewCutsOff' : 'renewEndsOld'
  return (
    <>
      <p>{t(authorisationStatus === deviceAuthorisationStatus.unauthorised ? 'authoriseWords' : renewal)}</p>
      {mayRelease ? <ReleaseChoice options={options} /> : <p>{t('renewTakesBack')}</p>}
    </>
  )
}

function ReleaseChoice({ options }: { options: SecretOptions }) {
  const { t } = useTranslation('devices')
  const id = useId()
  const [checked, setChecked] = useState(options.release ?? true)
  return (
    <div className={styles.releaseChoice}>
      <Switch
        id={id}
        checked={checked}
        onChange={(now) => {
          options.release = now
          setChecked(now)
        }}
      />
      <label htmlFor={id}>{t('release.field')}</label>
      <small>{t('release.hint')}</small>
    </div>
  )
}

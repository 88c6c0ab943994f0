/** What can be done to a device, with the dialogs it takes; the same from the list and from its own page. */
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { deviceOnlineStatus } from '@gatehouse/contract/enums/devices'
import { modal } from '../../kit/feedback.tsx'
import { useEditor } from '../../kit/useEditor.ts'
import { useUndo } from '../../kit/useUndo.tsx'
import { useWrite } from '../../kit/useWrite.ts'
import type { Pairing } from './PairingDialog.tsx'

const DeviceDialog = lazy(() => import('./DeviceDialog.tsx'))
const PairingDialog = lazy(() => import('./PairingDialog.tsx'))

interface DeviceActions {
  add: () => void
  edit: (device: Device) => void
  /** Asks first: a connected terminal is cut off. */
  renewSecret: (device: Device) => void
  /** Asks first, then waits five seconds in which it can be taken back. */
  remove: (device: Device) => void
  /** To be placed on the page. */
  dialogs: ReactNode
}

interface DeviceActionsOptions {
  /** Group a new device is offered first. */
  groupId?: string | undefined
  /** Called once the person at the screen has agreed to delete, before anything is deleted. */
  onRemove?: () => void
}

export function useDeviceActions({ groupId, onRemove }: DeviceActionsOptions = {}): DeviceActions {
  const { t } = useTranslation('devices')
  const undoable = useUndo()
  const editor = useEditor<Device>()
  const [pairing, setPairing] = useState<Pairing>()
  const renewal = useWrite(deviceCalls.resetSecret, { onDone: setPairing })
  const removal = useWrite(deviceCalls.delete, { done: t('deleted') })

  return {
    add: editor.add,
    edit: editor.edit,
    renewSecret: ({ id, name, onlineStatus }) =>
      modal.confirm({
        title: t('renewTitle', { name }),
        content: onlineStatus === deviceOnlineStatus.online ? t('renewCutsOff') : t('renewEndsOld'),
        okText: t('renew'),
        okButtonProps: { danger: true },
        cancelText: t('common:cancel'),
        onOk: () => renewal.run({ params: { id } }),
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
        {editor.round > 0 && <DeviceDialog key={editor.round} editor={editor} groupId={groupId} onAdded={setPairing} />}
        {pairing && <PairingDialog pairing={pairing} close={() => setPairing(undefined)} />}
      </Suspense>
    ),
  }
}

/** Adds a device or changes one, over the page it was opened from. */
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device } from '@gatehouse/contract/devices/calls'
import { FormDialog } from '../../kit/FormDialog.tsx'
import { loadedFrom, ready } from '../../kit/loaded.ts'
import { useRead } from '../../kit/query.ts'
import type { Editor } from '../../kit/useEditor.ts'
import { DeviceFields } from './DeviceFields.tsx'
import { newDevice, valuesOf } from './deviceValues.ts'
import type { Pairing } from './PairingDialog.tsx'

interface DeviceDialogProps {
  editor: Editor<Device>
  /** Group a new device is offered first. */
  groupId?: string | undefined
  /** Takes the secret of a new device; it is never shown again. */
  onAdded: (pairing: Pairing) => void
}

export default function DeviceDialog({ editor, groupId, onAdded }: DeviceDialogProps) {
  return editor.target ? <ChangeDevice editor={editor} id={editor.target.id} /> : <AddDevice editor={editor} groupId={groupId} onAdded={onAdded} />
}

function AddDevice({ editor, groupId, onAdded }: DeviceDialogProps) {
  const { t } = useTranslation('devices')
  return (
    <FormDialog call={deviceCalls.create} editor={editor} title={t('add')} initial={ready(newDevice(groupId))} done={t('added')} draft="device.add" onDone={onAdded}>
      <DeviceFields />
    </FormDialog>
  )
}

function ChangeDevice({ editor, id }: { editor: Editor<Device>; id: string }) {
  const { t } = useTranslation('devices')
  // Read afresh: the row may be older than the record, and the version decides whether a change is accepted.
  const device = useRead(deviceCalls.read, { params: { id } })
  return (
    <FormDialog
      call={deviceCalls.change}
      editor={editor}
      title={t('editOf', { name: device.data?.name ?? '' })}
      initial={loadedFrom(device, valuesOf)}
      hidden={{ id, version: device.data?.version }}
      done={t('saved')}
      draft={`device.${id}`}
    >
      <DeviceFields code={device.data?.code ?? ''} />
    </FormDialog>
  )
}

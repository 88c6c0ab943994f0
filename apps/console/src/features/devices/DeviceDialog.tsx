/** Adds a device or changes one, over the page it was opened from. */
import { Form } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls, type Device, type DeviceGroupNode } from '@gatehouse/contract/devices/calls'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useReadOnce } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { EffectLine } from '../questions/index.ts'
import { DeviceFields } from './DeviceFields.tsx'
import { SECRET_FIELDS, missingPassword, newDevice, valuesOf, type DeviceValues } from './deviceValues.ts'
import type { Pairing } from './PairingDialog.tsx'
import { ReleaseField } from './ReleaseField.tsx'

interface DeviceDialogProps {
  editor: Editor<Device>
  /** Group a new device is offered first. */
  group?: DeviceGroupNode | undefined
  /** Takes the secret of a new device, where the person at the screen may have it; it is never shown again. */
  onAdded: (pairing: Pairing) => void
}

export default function DeviceDialog({ editor, group, onAdded }: DeviceDialogProps) {
  return editor.target ? (
    <ChangeDevice editor={editor} id={editor.target.id} />
  ) : (
    <AddDevice editor={editor} group={group} onAdded={onAdded} />
  )
}

function AddDevice({ editor, group, onAdded }: DeviceDialogProps) {
  const { t } = useTranslation('devices')
  const mayRelease = useMayCall(deviceCalls.release)
  return (
    <FormDialog
      call={deviceCalls.create}
      editor={editor}
      title={t('add')}
      initial={ready({ ...newDevice(group), ...(mayRelease && { release: true }) })}
      done={t('added')}
      draft="device.add"
      unkept={SECRET_FIELDS}
      onDone={onAdded}
    >
      <DeviceFields />
      <ReleaseField />
    </FormDialog>
  )
}

function ChangeDevice({ editor, id }: { editor: Editor<Device>; id: string }) {
  const { t } = useTranslation('devices')
  const device = useReadOnce(deviceCalls.read, { params: { id } })
  return (
    <FormDialog
      call={deviceCalls.change}
      editor={editor}
      title={t('editOf', { name: device.data?.name ?? '' })}
      initial={loadedFrom(device, valuesOf)}
      hidden={{ id, version: device.data?.version }}
      also={(values) => missingPassword(values as DeviceValues, device.data?.hasPassword ?? false)}
      done={t('saved')}
      draft={`device.${id}`}
      unkept={SECRET_FIELDS}
    >
      <DeviceFields code={device.data?.code ?? ''} secrets={device.data} />
      {device.data && <MoveEffect device={device.data} />}
    </FormDialog>
  )
}

/** What the device would change at doors in the group that is chosen, where that is another. */
function MoveEffect({ device: { id, groupId } }: { device: Pick<Device, 'id' | 'groupId'> }) {
  const chosen = Form.useWatch<string | null | undefined>('groupId', Form.useFormInstance()) ?? null
  return chosen === groupId ? null : <EffectLine of="deviceMove" hidden={{ ids: [id], groupId: null }} />
}

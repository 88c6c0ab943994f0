/** The dialog that adds or changes a device, over the page it was opened from. */
import { Form, Input, Segmented, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import type { Device } from '@gatehouse/contract/devices/device'
import type { DeviceGroupNode } from '@gatehouse/contract/devices/groups'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType, passDirection } from '@gatehouse/contract/enums/devices'
import { FormDialog } from '../../kit/form/FormDialog.tsx'
import { loadedFrom, ready } from '../../kit/form/loaded.ts'
import { useRead, useReadOnce } from '../../api/query.ts'
import { useMayCall } from '../../api/session.ts'
import type { Editor } from '../../kit/form/useEditor.ts'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { EffectLine } from '../questions/index.ts'
import {
  clearedFor,
  firstModelOf,
  groupIn,
  missingPassword,
  newDevice,
  SECRET_FIELDS,
  typesOffered,
  valuesOf,
  type DeviceValues,
} from './deviceValues.ts'
import type { Pairing } from './PairingDialog.tsx'
import { ReleaseField } from './ReleaseField.tsx'
import { PartFields, type SecretsSet } from './PartFields.tsx'
import styles from './devices.module.css'

interface DeviceDialogProps {
  editor: Editor<Device>
  /** Group that is offered first for a new device. */
  group?: DeviceGroupNode | undefined
  /** Called with a new device, and with its secret where the user may see it. The secret is never shown again. */
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

/** The effect at doors of moving the device to the chosen group. */
function MoveEffect({ device: { id, groupId } }: { device: Pick<Device, 'id' | 'groupId'> }) {
  const chosen = Form.useWatch<string | null | undefined>('groupId', Form.useFormInstance()) ?? null
  return chosen === groupId ? null : <EffectLine of="deviceMove" hidden={{ ids: [id], groupId: null }} />
}

const NO_SECRETS: SecretsSet = { hasPassword: false, hasDevicePassword: false }

interface DeviceFieldsProps {
  /** Code of the device being changed; absent while adding, when it is typed. */
  code?: string | undefined
  secrets?: SecretsSet | undefined
}

/** The fields of a device, named as in the write calls. */
function DeviceFields({ code, secrets = NO_SECRETS }: DeviceFieldsProps) {
  const { t } = useTranslation('devices')
  const form = Form.useFormInstance<DeviceValues>()
  const optionsOf = useEnumOptions()
  const groups = useRead(deviceCalls.groupTree, {})
  return (
    <div className={styles.fields}>
      <Form.Item name="name" label={t('name')} required>
        <Input maxLength={64} autoComplete="off" />
      </Form.Item>
      {code === undefined ? (
        <Form.Item name="code" label={t('code')} required extra={t('codeHint')}>
          <Input maxLength={64} autoComplete="off" spellCheck={false} />
        </Form.Item>
      ) : (
        <Form.Item label={t('code')} extra={t('codeStays')}>
          <span className={styles.code}>{code}</span>
        </Form.Item>
      )}
      <TypeAndModel adding={code === undefined} />
      <Form.Item name="groupId" label={t('group')}>
        <TreeSelect
          // A new device gets the default direction of its group.
          onChange={(id: string | undefined) => {
            const direction = code === undefined ? groupIn(groups.data ?? [], id)?.defaultDirection : null
            if (direction) form.setFieldValue('direction', direction)
          }}
          treeData={choicesOf(groups.data ?? [])}
          loading={groups.isPending}
          treeDefaultExpandAll
          allowClear
          showSearch={{ treeNodeFilterProp: 'title' }}
          placeholder={t('noGroup')}
        />
      </Form.Item>
      <Form.Item name="direction" label={t('direction')} extra={t('directionHint')}>
        <Segmented aria-label={t('direction')} options={optionsOf(passDirection)} />
      </Form.Item>
      <PartFields {...secrets} />
    </div>
  )
}

/** Type and model. The models on offer depend on the type; the field is hidden for a type without models. */
function TypeAndModel({ adding }: { adding: boolean }) {
  const { t } = useTranslation('devices')
  const label = useEnumLabel()
  const form = Form.useFormInstance<DeviceValues>()
  const type = Form.useWatch('type', form)
  const models = modelsOfType[type ?? 0]
  return (
    <>
      <Form.Item name="type" label={t('type')} required>
        <Select
          options={typesOffered(adding, type).map((value) => ({ value, label: label(deviceType, value) }))}
          onChange={(chosen: number) => form.setFieldsValue({ model: firstModelOf(chosen), ...clearedFor(chosen) } as never)}
          showSearch={{ optionFilterProp: 'label' }}
        />
      </Form.Item>
      {models ? (
        <Form.Item name="model" label={t('model')} required>
          <Select options={models.map((value) => ({ value, label: label(deviceModel, value) }))} />
        </Form.Item>
      ) : (
        <Form.Item label={t('model')}>
          <span className={styles.hint}>{t('noModel')}</span>
        </Form.Item>
      )}
    </>
  )
}

/** The fields of a device, named as in the write calls. */
import { Form, Input, Segmented, Select, TreeSelect } from 'antd'
import { useTranslation } from 'react-i18next'
import { deviceCalls } from '@gatehouse/contract/devices/calls'
import { modelsOfType } from '@gatehouse/contract/enums/device-models'
import { deviceModel, deviceType, passDirection } from '@gatehouse/contract/enums/devices'
import { useEnumLabel, useEnumOptions } from '../../kit/detail/EnumTag.tsx'
import { useRead } from '../../api/query.ts'
import { choicesOf } from '../../kit/form/treeChoices.ts'
import { clearedFor, firstModelOf, typesOffered, type DeviceValues } from './deviceValues.ts'
import { groupIn } from './groupTree.ts'
import { PartFields, type SecretsSet } from './PartFields.tsx'
import styles from './devices.module.css'

const NO_SECRETS: SecretsSet = { hasPassword: false, hasDevicePassword: false }

interface DeviceFieldsProps {
  /** Of the device being changed; absent while adding, when it is typed. */
  code?: string | undefined
  secrets?: SecretsSet | undefined
}

export function DeviceFields({ code, secrets = NO_SECRETS }: DeviceFieldsProps) {
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
          // A new device passes people the way its group says.
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

/** The models on offer follow the type; a type without any asks for none. */
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

/** The palette as antd's configuration. */
import { theme, type ThemeConfig } from 'antd'
import { palettes, type Mode } from './tokens.ts'

/** One 14 px, 8 px-grid theme per mode; the CSS variables keep a switch of theme to one restyle. */
export function antdThemeOf(mode: Mode, motion: boolean): ThemeConfig {
  const { status, ...palette } = palettes[mode]
  // antd would derive reds from the one it is given, and nobody could read them by night.
  const danger = { colorError: status.bad.solid, colorErrorHover: status.bad.text, colorErrorActive: status.bad.text, colorErrorBg: status.bad.soft, colorErrorBgActive: status.bad.soft }
  return {
    algorithm: mode === 'dark' ? theme.darkAlgorithm : theme.defaultAlgorithm,
    cssVar: { key: 'gatehouse' },
    hashed: false,
    // The rules stand in a style sheet made at build time: build/precompiledStyles.ts.
    zeroRuntime: true,
    token: {
      fontFamily: 'var(--font)',
      fontSize: 14,
      borderRadius: 6,
      borderRadiusLG: 10,
      wireframe: false,
      motion,
      motionDurationMid: '0.14s',
      motionDurationSlow: '0.2s',
      colorPrimary: palette.accent,
      colorLink: palette.accentText,
      colorLinkHover: palette.accentText,
      colorSuccess: status.ok.solid,
      colorError: status.bad.solid,
      colorWarning: status.wait.solid,
      colorInfo: status.info.solid,
      colorErrorText: status.bad.text,
      colorSuccessText: status.ok.text,
      colorWarningText: status.wait.text,
      colorBgBase: palette.surface,
      colorBgContainer: palette.surface,
      colorBgLayout: palette.surface,
      colorBgElevated: palette.raised,
      colorText: palette.text,
      colorTextSecondary: palette.text2,
      colorTextTertiary: palette.text3,
      colorTextQuaternary: palette.text3,
      colorTextDescription: palette.text3,
      colorTextPlaceholder: palette.text3,
      colorBorder: palette.outline,
      colorBorderSecondary: palette.line,
      colorSplit: palette.line,
      controlItemBgActive: palette.accentSoft,
      controlItemBgHover: palette.hover,
    },
    components: {
      Table: {
        headerBg: palette.surface,
        headerColor: palette.text3,
        headerSplitColor: 'transparent',
        rowHoverBg: palette.hover,
        rowSelectedBg: palette.accentSoft,
        rowSelectedHoverBg: palette.accentSoft,
        borderColor: palette.line,
        cellPaddingBlockSM: 5,
        cellPaddingInlineSM: 8,
        cellPaddingBlockMD: 10,
        cellPaddingInlineMD: 8,
        headerBorderRadius: 0,
      },
      Menu: {
        itemBg: 'transparent',
        subMenuItemBg: 'transparent',
        itemColor: palette.text2,
        itemHoverBg: palette.hover,
        itemSelectedBg: palette.accentSoft,
        itemSelectedColor: palette.accentText,
        subMenuItemSelectedColor: palette.accentText,
        itemHeight: 36,
        collapsedWidth: 64,
        itemBorderRadius: 6,
        activeBarBorderWidth: 0,
      },
      Pagination: { itemActiveColor: palette.accentText, itemActiveColorHover: palette.accentText, itemActiveBg: palette.accentSoft },
      Tabs: { itemSelectedColor: palette.accentText, itemHoverColor: palette.text, inkBarColor: palette.accentText, itemColor: palette.text2 },
      Button: { ...danger, dangerColor: palette.surface, colorPrimaryHover: palette.accentHover, defaultShadow: 'none', primaryShadow: 'none', dangerShadow: 'none', fontWeight: 500, defaultHoverColor: palette.accentText, defaultHoverBorderColor: palette.accent, defaultActiveColor: palette.accentText },
      Dropdown: { ...danger, colorTextLightSolid: palette.surface },
      Form: { colorError: status.bad.solid, labelColor: palette.text2, itemMarginBottom: 20, verticalLabelPadding: '0 0 6px' },
      Tree: { nodeSelectedBg: palette.accentSoft, nodeSelectedColor: palette.accentText, nodeHoverBg: palette.hover, titleHeight: 30 },
      Segmented: { itemSelectedBg: palette.raised, trackBg: palette.hover },
    },
  }
}

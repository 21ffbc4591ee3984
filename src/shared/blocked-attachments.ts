/** File extensions that every large mail service blocks. The platform's list is unpublished (platform.md 13.4). */
const BLOCKED = new Set(
  'ade adp app apk appx asp bas bat cab chm cmd com cpl crt csh dll dmg exe fxp gadget hlp hta inf ins iso isp its jar js jse ksh lib lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msi msp mst nsh ops osd pcd pif plg prf prg ps1 ps2 pst reg scf scr sct shb shs sys tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk'.split(
    ' ',
  ),
)

/** True if the platform may reject the file by its name. */
export const isBlockedAttachment = (filename: string): boolean =>
  BLOCKED.has(/\.([^.\s]+)[\s.]*$/.exec(filename.toLowerCase())?.[1] ?? '')

/** The ID of the heading above the rules in the settings. */
export const RULES_HEADING = 'rules-heading'

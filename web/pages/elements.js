// @ts-check

/**
 * The element of index.html that bears `id`.
 * @param {string} id
 * @returns {any}
 */
export const element = (id) => document.getElementById(id);

/**
 * A form's input that bears `name`.
 * @param {HTMLFormElement} form
 * @param {string} name
 * @returns {any}
 */
export const input = (form, name) => form.elements.namedItem(name);

export const gameTemplates = () => ({ fields: element("game-fields-template"), choice: element("choice-template") });

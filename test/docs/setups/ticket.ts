export declare const ticket: { readonly id: number; readonly text: string; readonly customer: string };

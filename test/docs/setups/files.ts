export declare function currentToken(): Promise<string>;
